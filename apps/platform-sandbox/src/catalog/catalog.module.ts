import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { CatalogController } from './catalog.controller.ts';
import { CategoriesRepository } from './categories.repository.ts';
import { ItemOutcomes } from './item-outcomes.service.ts';
import { TakeCatalogItems } from './take-catalog-items.service.ts';

/** `/v1/batch/Brands`, `/v1/batch/Categories` */
@Module({
  imports: [CoreModule, WebhooksModule],
  controllers: [CatalogController],
  providers: [CategoriesRepository, ItemOutcomes, TakeCatalogItems],
  exports: [CategoriesRepository, ItemOutcomes],
})
export class CatalogModule {}
