import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.ts';
import { FilesModule } from '../files/files.module.ts';
import { OrderPayloadModule } from '../order-payload/order-payload.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { ProductsModule } from '../products/products.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { StoragesController } from './storages.controller.ts';
import { TakeFileChanges } from './take-file-changes.service.ts';

/** `/v1/Storages`: images of SKUs, and the removal of any file. */
@Module({
  imports: [CoreModule, FilesModule, OrderPayloadModule, OrdersModule, ProductsModule, WebhooksModule],
  controllers: [StoragesController],
  providers: [TakeFileChanges],
})
export class StoragesModule {}
