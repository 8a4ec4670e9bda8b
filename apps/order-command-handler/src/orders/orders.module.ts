import { Module } from '@nestjs/common';
import { AttentionMetrics } from '../watch/attention.metrics.ts';
import { OrderEventsMetrics } from './order-events.metrics.ts';
import { OrdersRepository } from './orders.repository.ts';

/** State and published state of each order. */
@Module({
  providers: [OrdersRepository, OrderEventsMetrics, AttentionMetrics],
  exports: [OrdersRepository, OrderEventsMetrics],
})
export class OrdersModule {}
