import { Module } from '@nestjs/common';
import { OrdersModule } from '../orders/orders.module.ts';
import { SkuSnapshotsConsumer } from './sku-snapshots.consumer.ts';
import { SkusRepository } from './skus.repository.ts';
import { WakeAwaitingOrders } from './wake-awaiting-orders.service.ts';

/** `catalog.skus.v1` → SKUs that resolve items of orders. */
@Module({
  imports: [OrdersModule],
  controllers: [SkuSnapshotsConsumer],
  providers: [SkusRepository, WakeAwaitingOrders],
  exports: [SkusRepository],
})
export class SkusModule {}
