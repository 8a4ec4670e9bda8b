import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module.ts';
import { OrderPayloadModule } from '../order-payload/order-payload.module.ts';
import { ProductsModule } from '../products/products.module.ts';
import { WebhooksModule } from '../webhooks/webhooks.module.ts';
import { MoveOrder } from './move-order.service.ts';
import { OrderChanges } from './order-changes.service.ts';
import { CoreOrdersController, OrdersController } from './orders.controller.ts';
import { OrdersRepository } from './orders.repository.ts';
import { TakeOrderChanges } from './take-order-changes.service.ts';

/** `/v1/Orders`, and the core’s own route of an order. */
@Module({
  imports: [CoreModule, OrderPayloadModule, ProductsModule, WebhooksModule],
  controllers: [OrdersController, CoreOrdersController],
  providers: [OrdersRepository, MoveOrder, OrderChanges, TakeOrderChanges],
  exports: [OrdersRepository, MoveOrder, OrderChanges],
})
export class OrdersModule {}
