import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { LoadProducts } from './load-products.service.ts';
import { PlanProducts } from './plan-products.service.ts';
import { ProductFamily } from './product-family.service.ts';
import { ReadProducts } from './read-products.service.ts';
import { SaveProducts } from './save-products.service.ts';

/** Products with their SKUs, which are published on `catalog.skus.v1`. */
@Module({
  imports: [OutcomesModule, ProductStateModule, ReferencesModule],
  providers: [LoadProducts, PlanProducts, ReadProducts, SaveProducts, ProductFamily],
  exports: [ProductFamily],
})
export class ProductsModule {}
