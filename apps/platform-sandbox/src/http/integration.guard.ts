import {
  BadRequestException,
  Injectable,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TenantsRepository } from '../tenants/tenants.repository.ts';
import { isGuid } from '../values/guid.ts';
import { rememberTenant } from './caller.decorator.ts';

const TENANT_HEADER_IS_INPUT = 'tenant-header-is-input';

/**
 * Marks a route that answers 400 to a missing or malformed `x-contractAccountId` (docs/platform.md,
 * "Authentication" 1).
 */
export const TenantHeaderIsInput = (): MethodDecorator & ClassDecorator => SetMetadata(TENANT_HEADER_IS_INPUT, true);

/**
 * Credentials of the integration API: Basic, and the merchant's GUID in `x-contractAccountId`, both on every call.
 */
@Injectable()
export class IntegrationGuard implements CanActivate {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const refuse = (message: string): never => {
      void context.switchToHttp().getResponse<FastifyReply>().header('www-authenticate', 'Basic');
      throw new UnauthorizedException({ code: 'UNAUTHORIZED', message });
    };
    const basic = basicCredentials(request.headers.authorization);
    if (basic === undefined) return refuse('Authorization with scheme Basic is missing or malformed');
    const contractAccountId = request.headers['x-contractaccountid'];
    if (typeof contractAccountId !== 'string' || !isGuid(contractAccountId)) {
      const message = 'Header x-contractAccountId is missing or is no GUID';
      const isInput = this.reflector.getAllAndOverride<boolean | undefined>(TENANT_HEADER_IS_INPUT, [
        context.getHandler(),
        context.getClass(),
      ]);
      if (isInput === true) throw new BadRequestException({ code: 'TENANT_HEADER', message });
      return refuse(message);
    }
    const tenant = await this.tenants.authenticate({ ...basic, contractAccountId });
    if (tenant === undefined) return refuse('Unknown merchant, user or password');
    rememberTenant(request, tenant);
    return true;
  }
}

function basicCredentials(header: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 1 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}
