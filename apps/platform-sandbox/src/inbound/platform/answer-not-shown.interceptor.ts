import { Injectable, SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { SwitchBoard } from '../../application/switch-board.ts';

const NOT_SHOWN = 'answer-not-shown';

/** The document does not show what this asynchronous route answers: an operation id, or nothing, as the switch says. */
export const AnswerNotShown = (): MethodDecorator => SetMetadata(NOT_SHOWN, true);

/** Stands before the faults, which want to know the operation id. */
@Injectable()
export class AnswerNotShownInterceptor implements NestInterceptor {
  constructor(
    private readonly switches: SwitchBoard,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const isShown = this.reflector.get<boolean | undefined>(NOT_SHOWN, context.getHandler()) !== true;
    if (isShown || this.switches.behaviour.answersNotShown === 'operationId') return next.handle();
    return next.handle().pipe(map(() => undefined));
  }
}
