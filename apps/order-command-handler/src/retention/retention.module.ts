import { ErasuresModule } from '@gondola/messaging/erasures/erasures.module';
import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { EraseOrderContent } from './erase-order-content.service.ts';
import { ShopperOrdersController } from './shopper-orders.controller.ts';
import { ShopperOrdersRepository } from './shopper-orders.repository.ts';

/** `/api/erasures`. */
@Module({
  controllers: [ShopperOrdersController],
  providers: [ShopperOrdersRepository],
  imports: [ErasuresModule.register(EraseOrderContent, [NotificationsModule, OrdersModule])],
})
export class RetentionModule {}
