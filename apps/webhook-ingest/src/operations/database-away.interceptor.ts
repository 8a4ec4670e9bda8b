import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  ServiceUnavailableException,
} from '@nestjs/common';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { catchError, type Observable, throwError } from 'rxjs';

const AWAY = {
  code: 'DATABASE_AWAY',
  message: 'PostgreSQL does not answer at the moment; ask again later. Deliveries go into the spool meanwhile',
};

/**
 * The app takes deliveries without PostgreSQL; requests that need the inbox are answered with the reason.
 */
@Injectable()
export class DatabaseAwayInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => withReason(error))));
  }
}

function withReason(error: unknown): unknown {
  return classifyDatabaseError(error) === 'transient' ? new ServiceUnavailableException(AWAY, { cause: error }) : error;
}
