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
  message:
    'PostgreSQL does not answer at the moment; ask again later. What is delivered meanwhile is kept in the spool',
};

/**
 * The app takes deliveries without PostgreSQL; what asks the inbox is told so, instead of an error without a reason.
 */
@Injectable()
export class DatabaseAwayInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => told(error))));
  }
}

function told(error: unknown): unknown {
  return classifyDatabaseError(error) === 'transient' ? new ServiceUnavailableException(AWAY, { cause: error }) : error;
}
