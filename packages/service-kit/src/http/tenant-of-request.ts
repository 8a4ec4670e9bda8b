import { BadRequestException } from '@nestjs/common';

/** The tenant that a request names, or the only one; 400 if it is unknown, or missing although there are several. */
export function tenantOfRequest<Tenant extends { readonly id: string }>(
  named: unknown,
  tenants: readonly Tenant[],
): Tenant {
  const [only, ...others] = tenants;
  if (named !== undefined && named !== null) return knownTenant(named, tenants);
  if (only === undefined || others.length > 0) {
    throw new BadRequestException('There are several tenants: name one as tenant');
  }
  return only;
}

/** The tenant that a request names; 400 with the tenants that there are if it is none of them. */
export function knownTenant<Tenant extends { readonly id: string }>(
  named: unknown,
  tenants: readonly Tenant[],
): Tenant {
  const known = tenants.find(({ id }) => id === named);
  if (known !== undefined) return known;
  throw new BadRequestException(`tenant must be one of the tenants file: ${tenants.map(({ id }) => id).join(', ')}`);
}
