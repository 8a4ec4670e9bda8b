import { Module } from '@nestjs/common';
import { ProductsModule } from '../products/products.module.ts';
import { ReferencesModule } from '../references/references.module.ts';
import { WaitingModule } from '../waiting/waiting.module.ts';
import { CatalogController } from './catalog.controller.ts';
import { ShowCatalog } from './show-catalog.service.ts';

/** What operators see. */
@Module({
  imports: [ProductsModule, ReferencesModule, WaitingModule],
  controllers: [CatalogController],
  providers: [ShowCatalog],
})
export class OperationsModule {}
