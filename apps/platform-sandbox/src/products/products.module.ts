import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.ts';
import { FilesModule } from '../files/files.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { ProductsController } from './products.controller.ts';
import { ProductsRepository } from './products.repository.ts';
import { TakeProducts } from './take-products.service.ts';

/** `/v1/batch/Products` */
@Module({
  imports: [CoreModule, FilesModule, WebhooksModule],
  controllers: [ProductsController],
  providers: [ProductsRepository, TakeProducts],
  exports: [ProductsRepository],
})
export class ProductsModule {}
