import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes.module.ts';
import { BeginFile } from './begin-file.service.ts';
import { CatalogRecordsConsumer } from './catalog-records.consumer.ts';
import { LoadMetrics } from './load.metrics.ts';
import { LoadsController } from './loads.controller.ts';
import { LoadsSweep } from './loads-sweep.service.ts';
import { LoadsRepository } from './loads.repository.ts';
import { ShowLoads } from './show-loads.service.ts';
import { TakeFile } from './take-file.service.ts';

/** `erp.catalog.*` and files of records → lanes; loads count records that belong together. */
@Module({
  imports: [LanesModule],
  controllers: [CatalogRecordsConsumer, LoadsController],
  providers: [LoadsRepository, ShowLoads, BeginFile, TakeFile, LoadMetrics, LoadsSweep],
  exports: [LoadsRepository, ShowLoads],
})
export class IntakeModule {}
