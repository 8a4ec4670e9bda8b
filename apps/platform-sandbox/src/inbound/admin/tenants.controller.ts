import { Controller, Post } from '@nestjs/common';
import { Ids } from '../../application/ids.ts';
import { TenantsRepository, type TenantCredentials } from '../../outbound/tenants.repository.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { TenantBody } from './tenant-body.ts';

@Controller('admin/tenants')
export class AdminTenantsController {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly ids: Ids,
  ) {}

  /** Again with the same contractAccountId: other credentials, the same shop. */
  @Post()
  async save(@AdminBody(TenantBody) credentials: TenantCredentials): Promise<{ contractAccountId: string }> {
    await this.tenants.save(credentials, {
      sellerId: this.ids.newGuid(),
      shippingPolicyId: this.ids.newGuid(),
      deliveryId: this.ids.newGuid(),
      paymentMethodId: this.ids.newGuid(),
      providerMethodId: this.ids.newGuid(),
    });
    return { contractAccountId: credentials.contractAccountId };
  }
}
