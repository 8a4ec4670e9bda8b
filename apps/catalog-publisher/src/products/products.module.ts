import { Module } from '@nestjs/common';
import { OutcomesModule } from '../outcomes/outcomes.module.ts';
import { RecordsModule } from '../records/records.module.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { SkusRepository } from '../skus/skus.repository.ts';
import { PlanProducts } from './plan-products.service.ts';
import { ProductFamily } from './product-family.service.ts';
import { ProductReferencesRepository } from './product-references.repository.ts';
import { ProductsRepository } from './products.repository.ts';
import { ReadProducts } from './read-products.service.ts';
import { SaveProducts } from './save-products.service.ts';

/** Products with their SKUs, which are published as `catalog.skus.v1`. */
@Module({
  imports: [RecordsModule, OutcomesModule, ReferencesModule],
  providers: [
    ProductsRepository,
    ProductReferencesRepository,
    SkusRepository,
    PlanProducts,
    ReadProducts,
    SaveProducts,
    ProductFamily,
  ],
  exports: [ProductsRepository, ProductFamily],
})
export class ProductsModule {}
