import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Shop } from '../domain/orders/order.ts';
import { TenantsRepository, type Tenant, type TenantCredentials } from '../outbound/tenants.repository.ts';
import { Ids } from './ids.ts';

export type TenantChoice =
  | { readonly kind: 'tenant'; readonly tenant: Tenant }
  | { readonly kind: 'none'; readonly problem: string };

/** The merchants, as the admin API adds and names them. */
@Injectable()
export class AdminTenants {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantsRepository,
    private readonly ids: Ids,
  ) {}

  async save(credentials: TenantCredentials): Promise<void> {
    const shop: Shop = {
      sellerId: this.ids.newGuid(),
      shippingPolicyId: this.ids.newGuid(),
      deliveryId: this.ids.newGuid(),
      paymentMethodId: this.ids.newGuid(),
      providerMethodId: this.ids.newGuid(),
    };
    await this.tenants.save(this.database, credentials, shop);
  }

  /** The one that is named; without a name the only one there is. */
  async choose(contractAccountId: string | undefined): Promise<TenantChoice> {
    if (contractAccountId !== undefined) {
      const tenant = await this.tenants.find(this.database, contractAccountId);
      return tenant
        ? { kind: 'tenant', tenant }
        : { kind: 'none', problem: 'There is no tenant with this contractAccountId' };
    }
    const [tenant, ...others] = await this.tenants.all(this.database);
    if (tenant === undefined) return { kind: 'none', problem: 'There is no tenant yet' };
    if (others.length > 0)
      return { kind: 'none', problem: 'There are several tenants: contractAccountId must name one' };
    return { kind: 'tenant', tenant };
  }
}
