import { Controller, Post } from '@nestjs/common';
import { AdminTenants } from '../../application/admin-tenants.ts';
import type { TenantCredentials } from '../../outbound/tenants.repository.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { TenantBody } from './tenant-body.ts';

@Controller('admin/tenants')
export class AdminTenantsController {
  constructor(private readonly tenants: AdminTenants) {}

  /** Again with the same contractAccountId: other credentials, the same shop. */
  @Post()
  async save(@AdminBody(TenantBody) credentials: TenantCredentials): Promise<{ contractAccountId: string }> {
    await this.tenants.save(credentials);
    return { contractAccountId: credentials.contractAccountId };
  }
}
