import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CallPlan } from '../../domain/faults/call-plan.ts';
import type { CoreDirective } from '../../outbound/operation.entity.ts';

export const IS_ASYNCHRONOUS = 'is-asynchronous';

/** The route only queues; a fault that refuses it, or keeps it silent, is for the core to carry out. */
export const Asynchronous = (): MethodDecorator => SetMetadata(IS_ASYNCHRONOUS, true);

const directives = new WeakMap<FastifyRequest, CoreDirective>();

/** A refusal from 500 upward is silence, as only a 4xx of the core makes a failure event. */
export function rememberDirective(request: FastifyRequest, { refuseStatus, coreSilent }: CallPlan): void {
  const silent = coreSilent || (refuseStatus !== undefined && refuseStatus >= 500);
  directives.set(request, { silent, ...(refuseStatus !== undefined && { refuseStatus }) });
}

/** What the faults want the core to do with what this call queues. */
export const Directive = createParamDecorator(
  (_: unknown, context: ExecutionContext): CoreDirective =>
    directives.get(context.switchToHttp().getRequest<FastifyRequest>()) ?? {},
);
