import { Module } from '@nestjs/common';
import { ProductReferencesRepository } from './product-references.repository.ts';
import { ProductsRepository } from './products.repository.ts';
import { SkusRepository } from './skus.repository.ts';

const STORES = [ProductsRepository, ProductReferencesRepository, SkusRepository];

/** Stored state of products between two records: applied values, references, and the published state of SKUs. */
@Module({ providers: STORES, exports: STORES })
export class ProductStateModule {}
