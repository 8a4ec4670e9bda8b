import { Module } from '@nestjs/common';
import { SkuSnapshotsConsumer } from './sku-snapshots.consumer.ts';
import { SkusRepository } from './skus.repository.ts';

/** `catalog.skus.v1` → the SKUs by which items of orders are resolved. */
@Module({ controllers: [SkuSnapshotsConsumer], providers: [SkusRepository], exports: [SkusRepository] })
export class SkusModule {}
