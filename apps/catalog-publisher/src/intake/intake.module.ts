import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { LanesModule } from '../lanes/lanes.module.ts';
import { BeginFile } from './begin-file.service.ts';
import { CatalogRecordsConsumer } from './catalog-records.consumer.ts';
import { LoadMetrics } from './load.metrics.ts';
import { LoadsController } from './loads.controller.ts';
import { LoadsSweep } from './loads-sweep.service.ts';
import { LoadsRepository } from './loads.repository.ts';
import { ShowLoads } from './show-loads.service.ts';
import { TakeFile } from './take-file.service.ts';
import { BeginResend } from '../resends/begin-resend.service.ts';
import { FeedResends } from '../resends/feed-resends.service.ts';
import { ResendsController } from '../resends/resends.controller.ts';
import { ResendsRepository } from '../resends/resends.repository.ts';

/**
 * `erp.catalog.*` and files of records → lanes; loads count records that belong together. A resend is a load, too: the
 * known state of the shop, behind all new records.
 */
@Starts(FeedResends)
@Module({
  imports: [LanesModule],
  controllers: [CatalogRecordsConsumer, LoadsController, ResendsController],
  providers: [
    LoadsRepository,
    ShowLoads,
    BeginFile,
    TakeFile,
    LoadMetrics,
    LoadsSweep,
    ResendsRepository,
    BeginResend,
    FeedResends,
  ],
})
export class IntakeModule {}
