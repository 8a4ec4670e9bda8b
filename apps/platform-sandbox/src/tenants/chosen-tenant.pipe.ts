import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';
import { TenantsRepository, type Tenant } from './tenants.repository.ts';

/** Merchant of `contractAccountId`; without one, the only merchant. */
@Injectable()
export class ChosenTenant implements PipeTransform<string | undefined, Promise<Tenant>> {
  constructor(private readonly tenants: TenantsRepository) {}

  async transform(contractAccountId: string | undefined): Promise<Tenant> {
    if (contractAccountId !== undefined) {
      return (await this.tenants.find(contractAccountId)) ?? refuse('There is no tenant with this contractAccountId');
    }
    const [tenant, ...others] = await this.tenants.all();
    if (others.length > 0) return refuse('There are several tenants: contractAccountId must name one');
    return tenant ?? refuse('There is no tenant yet');
  }
}

function refuse(message: string): never {
  throw new BadRequestException({ code: 'TENANT', message });
}
