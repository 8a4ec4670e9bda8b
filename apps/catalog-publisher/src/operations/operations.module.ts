import { Module } from '@nestjs/common';
import { ProductStateModule } from '../product-state/product-state.module.ts';
import { ReferenceStateModule } from '../reference-state/reference-state.module.ts';
import { WaitingModule } from '../waiting/waiting.module.ts';
import { CatalogController } from './catalog.controller.ts';
import { ShowCatalog } from './show-catalog.service.ts';

/** Operators' routes and their queries. */
@Module({
  imports: [ProductStateModule, ReferenceStateModule, WaitingModule],
  controllers: [CatalogController],
  providers: [ShowCatalog],
  exports: [ShowCatalog],
})
export class OperationsModule {}
