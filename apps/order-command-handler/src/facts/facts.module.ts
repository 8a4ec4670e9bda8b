import { Module } from '@nestjs/common';
import { OrderFactsRepository } from './order-facts.repository.ts';
import { OrderNotificationsConsumer } from './order-notifications.consumer.ts';

/** `platform.notifications.orders.v1` → facts of orders. */
@Module({
  controllers: [OrderNotificationsConsumer],
  providers: [OrderFactsRepository],
  exports: [OrderFactsRepository],
})
export class FactsModule {}
