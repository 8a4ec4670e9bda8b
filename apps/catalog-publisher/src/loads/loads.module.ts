import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { RecordsModule } from '../records/records.module.ts';
import { LoadMetrics } from './load.metrics.ts';
import { LoadsController } from './loads.controller.ts';
import { LoadsSweep } from './loads-sweep.service.ts';
import { ShowLoads } from './show-loads.service.ts';
import { TakeFile } from './take-file.service.ts';

/** Loads: records counted together, and files of records. */
@Module({
  imports: [LanesModule, RecordsModule],
  controllers: [LoadsController],
  providers: [ShowLoads, TakeFile, LoadMetrics, LoadsSweep],
  exports: [ShowLoads],
})
export class LoadsModule {}
