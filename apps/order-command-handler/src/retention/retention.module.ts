import { ErasuresModule } from '@gondola/messaging/erasures/erasures.module';
import { Module } from '@nestjs/common';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { OrdersModule } from '../orders/orders.module.ts';
import { EraseOrderContent } from './erase-order-content.service.ts';

/** `/api/erasures`. */
@Module({ imports: [ErasuresModule.register(EraseOrderContent, [NotificationsModule, OrdersModule])] })
export class RetentionModule {}
