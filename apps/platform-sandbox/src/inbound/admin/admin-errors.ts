import { BadRequestException, NotFoundException } from '@nestjs/common';
import type { TenantChoice } from '../../application/admin-tenants.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';

export function chosen(choice: TenantChoice): Tenant {
  if (choice.kind === 'tenant') return choice.tenant;
  throw new BadRequestException({ code: 'TENANT', message: choice.problem });
}

export function unknown(what: string): NotFoundException {
  return new NotFoundException({ code: 'UNKNOWN', message: `There is no such ${what}` });
}
