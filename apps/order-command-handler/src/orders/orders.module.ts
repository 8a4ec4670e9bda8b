import { Module } from '@nestjs/common';
import { AttentionMetrics } from '../watch/attention.metrics.ts';
import { OrderEventsMetrics } from './order-events.metrics.ts';
import { OrdersRepository } from './orders.repository.ts';

/** What is known of each order, and what was published of it. */
@Module({
  providers: [OrdersRepository, OrderEventsMetrics, AttentionMetrics],
  exports: [OrdersRepository, OrderEventsMetrics],
})
export class OrdersModule {}
