import { Module } from '@nestjs/common';
import { ProductReferencesRepository } from './product-references.repository.ts';
import { ProductsRepository } from './products.repository.ts';

/** Stored state of products between two records: applied values, read SKUs and references. */
@Module({
  providers: [ProductsRepository, ProductReferencesRepository],
  exports: [ProductsRepository, ProductReferencesRepository],
})
export class ProductStateModule {}
