import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import {
  HttpException,
  Inject,
  Injectable,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NEVER, lastValueFrom, map, of, type Observable } from 'rxjs';
import { rememberDirective } from '../http/caller.decorator.ts';
import { logCall } from '../logs/request-log.adapter.ts';
import { Quiet } from '../runtime/quiet.service.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Json } from '../values/exact-json.ts';
import { withExtraFields } from './extra-fields.ts';
import { FaultBoard } from './fault-board.service.ts';
import type { CallInterruption, CallPlan } from './fault.ts';

/** Metadata of routes that only queue: whether the document shows their answer. */
export const QUEUES = 'queues';

/**
 * Applies the active faults to calls of the platform. Calls with wrong credentials never reach it and use up no
 * fault.
 */
@Injectable()
export class FaultInterceptor implements NestInterceptor {
  constructor(
    private readonly faults: FaultBoard,
    private readonly quiet: Quiet,
    private readonly switches: SwitchBoard,
    private readonly reflector: Reflector,
    private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const plan = await this.faults.planCall(request.method, request.url);
    const queues = this.reflector.get<string | undefined>(QUEUES, context.getHandler());
    const isEmpty = queues === 'answer not shown' && this.switches.behaviour.answersNotShown === 'empty';
    if (plan === undefined) return isEmpty ? next.handle().pipe(map(() => undefined)) : next.handle();
    if (plan.delayMs > 0) await delay(plan.delayMs);
    if (plan.before) return this.interrupt(plan.before, context);
    if (queues !== undefined) rememberDirective(request, plan);
    else if (plan.refuseStatus !== undefined) throw onDemand(plan.refuseStatus);
    const answer = await lastValueFrom(next.handle(), { defaultValue: undefined });
    await this.letOutcomeArrive(plan, answer);
    if (plan.after) return this.interrupt(plan.after, context);
    if (isEmpty) return of(undefined);
    return of(plan.extraFields && isPlainJson(answer) ? withExtraFields(answer) : answer);
  }

  private async letOutcomeArrive({ outcomeFirstMs }: CallPlan, answer: unknown): Promise<void> {
    const operationId = operationIdOf(answer);
    if (outcomeFirstMs !== undefined && operationId !== undefined) await this.quiet.wait(outcomeFirstMs, operationId);
  }

  private async interrupt(interruption: CallInterruption, context: ExecutionContext): Promise<Observable<never>> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    switch (interruption.kind) {
      case 'error':
        throw onDemand(interruption.status);
      case 'credentials-expired':
        void reply.header('www-authenticate', 'Basic');
        throw new HttpException(
          { code: 'CREDENTIALS_EXPIRED', message: 'The credentials have expired' },
          interruption.status,
        );
      case 'too-many-requests':
        void reply.header('retry-after', String(interruption.retryAfter));
        throw new HttpException({ code: 'TOO_MANY_REQUESTS', message: 'Too many requests' }, 429);
      case 'drop':
    }
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    await logCall({ database: this.database, logger: this.logger }, request, null);
    reply.hijack();
    request.raw.socket.destroy();
    return NEVER;
  }
}

function onDemand(status: number): HttpException {
  return new HttpException({ code: 'FAULT', message: `Answered ${status} on demand` }, status);
}

/** True for a JSON answer that is neither a file nor text. */
function isPlainJson(answer: unknown): answer is Json {
  return typeof answer === 'object' && answer !== null && !(answer instanceof StreamableFile);
}

/** Operation id in an answer `{ operationId }` or `{ transactionId }`, or in the product route's JSON text. */
function operationIdOf(answer: unknown): string | undefined {
  if (typeof answer === 'string') {
    const text: unknown = JSON.parse(answer);
    return typeof text === 'string' ? text : undefined;
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  const id: unknown = 'operationId' in answer ? answer.operationId : 'transactionId' in answer && answer.transactionId;
  return typeof id === 'string' ? id : undefined;
}
