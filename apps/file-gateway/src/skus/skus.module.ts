import { Module } from '@nestjs/common';
import { SkuSnapshotsConsumer } from './sku-snapshots.consumer.ts';
import { SkusRepository } from './skus.repository.ts';

/** Stores the SKUs on the platform from `catalog.skus.v1`. */
@Module({ controllers: [SkuSnapshotsConsumer], providers: [SkusRepository], exports: [SkusRepository] })
export class SkusModule {}
