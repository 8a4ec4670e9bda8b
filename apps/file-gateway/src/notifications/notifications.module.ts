import { Module } from '@nestjs/common';
import { FailuresRepository } from './failures.repository.ts';
import { OrderIdsRepository } from './order-ids.repository.ts';
import { OrderNotificationsConsumer } from './order-notifications.consumer.ts';

/** Stores GUIDs of orders and refusals from `platform.notifications.orders.v1`. */
@Module({
  controllers: [OrderNotificationsConsumer],
  providers: [FailuresRepository, OrderIdsRepository],
  exports: [FailuresRepository, OrderIdsRepository],
})
export class NotificationsModule {}
