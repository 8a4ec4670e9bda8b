import { TenantPipe } from '@gondola/service-kit/http/tenant.pipe';
import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { CompareProducts } from './compare-products.service.ts';
import { ComparisonController } from './comparison.controller.ts';
import { ReadPace } from './read-pace.service.ts';

/** Comparison of the shop's products with their expected state. */
@Module({
  imports: [LanesModule, ProductStateModule],
  controllers: [ComparisonController],
  providers: [TenantPipe, CompareProducts, ReadPace],
})
export class ComparisonModule {}
