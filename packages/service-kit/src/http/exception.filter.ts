import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { classifyDatabaseError } from '../database/database-errors.ts';
import { errorBody } from './error-body.ts';
import type { ErrorBody } from './error-body.ts';
import type { Logger } from '../logging/logger.ts';

/**
 * The one exception filter of an app. Over HTTP every error becomes `{ error: { code, message } }`, and one from
 * status 500 on is logged: a 503 as a warning if the database is away or too slow, any other as an error. For records
 * the thrown error is passed on unchanged (Nest would replace it), so that the transport can decide how to go on.
 */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  catch(exception: unknown, host: ArgumentsHost): Observable<never> | undefined {
    if (host.getType() !== 'http') return throwError(() => exception);
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const { status, body, level } = answerTo(exception);
    if (level !== null) {
      const { traceId } = host.switchToHttp().getRequest<FastifyRequest>();
      this.#logger[level]({ err: exception, statusCode: status, traceId }, 'A request failed');
    }
    if (!reply.sent) void reply.status(status).send(body);
    return undefined;
  }
}

interface HttpAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  /** Level at which the error is logged; null if it is not. */
  readonly level: 'warn' | 'error' | null;
}

/** The answer to any thrown value: only an `HttpException` and a database that is away do not end in a 500. */
function answerTo(exception: unknown): HttpAnswer {
  if (exception instanceof HttpException) {
    const status = exception.getStatus();
    return { status, body: bodyOf(exception, status), level: status < 500 ? null : 'error' };
  }
  if (classifyDatabaseError(exception) === 'transient') return { status: 503, body: DATABASE_AWAY, level: 'warn' };
  return { status: 500, body: errorBody(500), level: 'error' };
}

const DATABASE_AWAY: ErrorBody = {
  error: { code: 'DATABASE_AWAY', message: 'PostgreSQL does not answer at the moment; ask again later' },
};

/**
 * `{ code, message }` of an exception is used unchanged. Otherwise the code is the status' name; the text of a 4xx is
 * used, except that of a 404, where Nest and Fastify repeat the URL.
 */
function bodyOf(exception: HttpException, status: number): ErrorBody {
  const response = exception.getResponse();
  if (typeof response === 'object' && 'code' in response && typeof response.code === 'string') {
    return { error: { code: response.code, message: exception.message } };
  }
  return errorBody(status, status < 500 && status !== 404 ? exception.message : undefined);
}
