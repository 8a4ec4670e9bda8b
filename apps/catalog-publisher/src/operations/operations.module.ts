import { CompareProducts } from '../comparison/compare-products.service.ts';
import { ComparisonController } from '../comparison/comparison.controller.ts';
import { LanesModule } from '../lanes.module.ts';
import { CheckRecords } from '../preflight/check-records.service.ts';
import { PreflightController } from '../preflight/preflight.controller.ts';
import { CatalogController } from './catalog.controller.ts';
import { ExplanationController } from './explanation.controller.ts';
import { ListsController } from './lists.controller.ts';
import { ShowCatalog } from './show-catalog.service.ts';
import { ShowExplanation } from './show-explanation.service.ts';
import { TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Module } from '@nestjs/common';

/**
 * Shows operators what is known of the catalog, explains why a product is not in the shop, compares the shop's products
 * with their expected state, and checks records before they are produced.
 */
@Module({
  imports: [LanesModule],
  controllers: [ListsController, CatalogController, ExplanationController, ComparisonController, PreflightController],
  providers: [TenantPipe, ShowCatalog, ShowExplanation, CompareProducts, CheckRecords],
})
export class OperationsModule {}
