import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { CoreDirective } from '../core/operation.entity.ts';
import type { CallPlan } from '../faults/fault.ts';
import type { Tenant } from '../tenants/tenants.repository.ts';

/** Merchant of a call's credentials, and the effect of faults on the operations that the call queues. */
export interface Caller extends Tenant {
  readonly directive: CoreDirective;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Called by the guard that checked the credentials. */
export function rememberTenant(request: FastifyRequest, { contractAccountId, shop }: Tenant): void {
  callers.set(request, { contractAccountId, shop, directive: {} });
}

/** A refusal with 500 or more is silent, because only a 4xx of the core makes a failure event. */
export function rememberDirective(request: FastifyRequest, { refuseStatus, coreSilent }: CallPlan): void {
  const silent = coreSilent || (refuseStatus !== undefined && refuseStatus >= 500);
  const directive = { silent, ...(refuseStatus !== undefined && { refuseStatus }) };
  callers.set(request, { ...callerOf(request), directive });
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('No guard has checked the credentials of this route');
  return caller;
}
