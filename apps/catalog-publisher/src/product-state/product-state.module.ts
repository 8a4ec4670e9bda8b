import { Module } from '@nestjs/common';
import { ProductReferencesRepository } from './product-references.repository.ts';
import { ProductsRepository } from './products.repository.ts';

/** What is known of products between two records: what was applied, seen and referred to. */
@Module({
  providers: [ProductsRepository, ProductReferencesRepository],
  exports: [ProductsRepository, ProductReferencesRepository],
})
export class ProductStateModule {}
