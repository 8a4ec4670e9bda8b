import { Controller, Post } from '@nestjs/common';
import { z } from 'zod';
import { AdminTenants } from '../../application/admin-tenants.ts';
import { isGuid } from '../../domain/guid.ts';
import type { TenantCredentials } from '../../outbound/tenants.repository.ts';
import { AdminBody } from '../http/body.decorator.ts';

const TenantBody = z.object({
  contractAccountId: z.string().refine(isGuid, 'must be a GUID'),
  username: z
    .string()
    .min(1)
    .refine((name) => !name.includes(':'), 'must not hold a colon'),
  password: z.string().min(1),
  apiKey: z.string().min(1),
});

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
