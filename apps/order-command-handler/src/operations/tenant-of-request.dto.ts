import { BadRequestException } from '@nestjs/common';

/** The tenant of a request: the one that it names, or the only one. */
export function tenantOfRequest(named: unknown, tenants: readonly string[]): string {
  const [only, ...others] = tenants;
  const tenant = named ?? (others.length === 0 ? only : undefined);
  if (tenant === undefined) throw new BadRequestException('There are several tenants: name one as tenant');
  return knownTenant(tenant, tenants);
}

/** A tenant of the tenants file. */
export function knownTenant(named: unknown, tenants: readonly string[]): string {
  const known = tenants.find((id) => id === named);
  if (known === undefined) throw new BadRequestException(`tenant is one of the tenants file: ${tenants.join(', ')}`);
  return known;
}
