import { Module } from '@nestjs/common';
import { LaneHeads } from '../lanes/lane-heads.service.ts';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { LoadProducts } from './load-products.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import { ProductFlow } from './product-flow.service.ts';
import { ReadProducts } from './read-products.service.ts';
import { SaveProducts } from './save-products.service.ts';

/** Products with their SKUs, which are published on `catalog.skus.v1`. */
@Module({
  imports: [OutcomesModule, ProductStateModule, ReferencesModule],
  providers: [LaneHeads, LoadProducts, PlanProducts, ReadProducts, SaveProducts, ProductFlow],
  exports: [ProductFlow],
})
export class ProductsModule {}
