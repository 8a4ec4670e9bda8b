import { Global, Module } from '@nestjs/common';
import { ChosenTenant } from './chosen-tenant.pipe.ts';
import { TenantsRepository } from './tenants.repository.ts';

/** Merchants and their credentials, which every route uses. */
@Global()
@Module({
  providers: [TenantsRepository, ChosenTenant],
  exports: [TenantsRepository, ChosenTenant],
})
export class TenantsModule {}
