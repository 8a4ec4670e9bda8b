import { Module } from '@nestjs/common';
import { CatalogRecordsConsumer } from './catalog-records.consumer.ts';
import { CatalogMetrics } from './catalog.metrics.ts';

/** `erp.catalog.*` → lanes. */
@Module({ controllers: [CatalogRecordsConsumer], providers: [CatalogMetrics], exports: [CatalogMetrics] })
export class RecordsModule {}
