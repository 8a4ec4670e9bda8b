import { Module } from '@nestjs/common';
import { ArrivedSkusRepository } from './arrived-skus.repository.ts';
import { SkuSnapshotsConsumer } from './sku-snapshots.consumer.ts';
import { SkusRepository } from './skus.repository.ts';
import { WakeAwaitingOrders } from './wake-awaiting-orders.service.ts';

/** `catalog.skus.v1` → SKUs that resolve items of orders. */
@Module({
  controllers: [SkuSnapshotsConsumer],
  providers: [SkusRepository, ArrivedSkusRepository, WakeAwaitingOrders],
  exports: [SkusRepository],
})
export class SkusModule {}
