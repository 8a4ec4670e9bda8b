import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Tenant } from '../../outbound/tenants.repository.ts';

const tenants = new WeakMap<FastifyRequest, Tenant>();

/** Said by the guard that checked the credentials. */
export function rememberTenant(request: FastifyRequest, tenant: Tenant): void {
  tenants.set(request, tenant);
}

/** The merchant whose credentials the call showed. */
export const CurrentTenant = createParamDecorator((_: unknown, context: ExecutionContext): Tenant => {
  const tenant = tenants.get(context.switchToHttp().getRequest<FastifyRequest>());
  if (tenant === undefined) throw new Error('No guard has checked the credentials of this route');
  return tenant;
});
