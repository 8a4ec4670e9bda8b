import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { errorBody } from './error-body.ts';
import type { ErrorBody } from './error-body.ts';
import type { Logger } from '../logging/logger.ts';

/**
 * The one filter of an app. Over HTTP every error is `{ error: { code, message } }`; what is not an `HttpException` is
 * a 500 without details, and is logged. For records it passes on the error as it was thrown (Nest would replace it), so
 * that the transport can decide what to do.
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
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    if (status >= 500) {
      const { traceId } = host.switchToHttp().getRequest<FastifyRequest>();
      this.#logger.error({ err: exception, statusCode: status, traceId }, 'A request failed');
    }
    if (!reply.sent) void reply.status(status).send(bodyOf(exception, status));
    return undefined;
  }
}

/**
 * An `HttpException` made with `{ code, message }` speaks for itself; otherwise the code is the status' name, and a
 * text is taken over from 4xx but not from 404, where Nest and Fastify repeat the URL.
 */
function bodyOf(exception: unknown, status: number): ErrorBody {
  if (!(exception instanceof HttpException)) return errorBody(status);
  const response = exception.getResponse();
  if (typeof response === 'object' && 'code' in response && typeof response.code === 'string') {
    return { error: { code: response.code, message: exception.message } };
  }
  return errorBody(status, status < 500 && status !== 404 ? exception.message : undefined);
}
