import { Module } from '@nestjs/common';
import { LoadsRepository } from '../loads/loads.repository.ts';
import { CatalogRecordsConsumer } from './catalog-records.consumer.ts';
import { CatalogMetrics } from './catalog.metrics.ts';
import { RecordSource } from './record-source.service.ts';

/** `erp.catalog.*` → lanes. */
@Module({
  controllers: [CatalogRecordsConsumer],
  providers: [CatalogMetrics, LoadsRepository, RecordSource],
  exports: [CatalogMetrics, LoadsRepository, RecordSource],
})
export class RecordsModule {}
