import { Module } from '@nestjs/common';
import { AttentionMetrics, OrderEventsMetrics } from './orders.metrics.ts';
import { OrdersRepository } from './orders.repository.ts';
import { PublishedRecordsRepository } from './published-records.repository.ts';

/** Stored state of each order, and of what was published about it. */
@Module({
  providers: [OrdersRepository, PublishedRecordsRepository, OrderEventsMetrics, AttentionMetrics],
  exports: [OrdersRepository, PublishedRecordsRepository, OrderEventsMetrics],
})
export class OrdersModule {}
