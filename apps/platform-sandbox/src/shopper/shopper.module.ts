import { Module } from '@nestjs/common';
import { OrderPayloadModule } from '../order-payload/order-payload.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { ProductsModule } from '../products/products.module.ts';
import { PlayShopper } from './play-shopper.service.ts';
import { ShopperController } from './shopper.controller.ts';

/** `/admin/orders`: a shopper buys, and the platform moves orders by itself. */
@Module({
  imports: [OrderPayloadModule, OrdersModule, ProductsModule],
  controllers: [ShopperController],
  providers: [PlayShopper],
})
export class ShopperModule {}
