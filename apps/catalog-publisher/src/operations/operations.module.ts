import { TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { ValuesModule } from '../values/values.module.ts';
import { WaitingModule } from '../waiting/waiting.module.ts';
import { CatalogController } from './catalog.controller.ts';
import { ExplanationController } from './explanation.controller.ts';
import { ShowCatalog } from './show-catalog.service.ts';
import { ShowExplanation } from './show-explanation.service.ts';

/** Shows operators what is known of the catalog, and explains why a product is not in the shop. */
@Module({
  imports: [LanesModule, ProductStateModule, ReferencesModule, ValuesModule, WaitingModule],
  controllers: [CatalogController, ExplanationController],
  providers: [TenantPipe, ShowCatalog, ShowExplanation],
})
export class OperationsModule {}
