import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.ts';
import { SkuSnapshotsConsumer } from './sku-snapshots.consumer.ts';
import { SkusRepository } from './skus.repository.ts';
import { WakeAwaitingOrders } from './wake-awaiting-orders.service.ts';

/** `catalog.skus.v1` → the SKUs by which items of orders are resolved. */
@Module({
  imports: [OrdersModule],
  controllers: [SkuSnapshotsConsumer],
  providers: [SkusRepository, WakeAwaitingOrders],
  exports: [SkusRepository],
})
export class SkusModule {}
