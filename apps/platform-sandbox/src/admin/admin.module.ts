import { Module } from '@nestjs/common';
import { CatalogModule } from '../catalog/catalog.module.ts';
import { OrderPayloadModule } from '../order-payload/order-payload.module.ts';
import { ProductsModule } from '../products/products.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { ControlController } from './control.controller.ts';
import { ShopController } from './shop.controller.ts';

/** `/admin`: merchants, faults, switches, and the shop's content. */
@Module({
  imports: [CatalogModule, OrderPayloadModule, ProductsModule, WebhooksModule],
  controllers: [ControlController, ShopController],
})
export class AdminModule {}
