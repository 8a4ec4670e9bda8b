import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { SkusModule } from '../skus/skus.module.ts';
import { OrdersController } from './orders.controller.ts';
import { ShowOrder } from './show-order.service.ts';

/** `/api/orders` and `/api/counts`. */
@Module({
  imports: [NotificationsModule, OrdersModule, SkusModule],
  controllers: [OrdersController],
  providers: [ShowOrder],
})
export class OperationsModule {}
