import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { LoadsModule } from '../loads/loads.module.ts';
import { RecordsModule } from '../records/records.module.ts';
import { BeginResend } from './begin-resend.service.ts';
import { FeedResends } from './feed-resends.service.ts';
import { ResendsController } from './resends.controller.ts';
import { ResendsRepository } from './resends.repository.ts';

/** Sends the known state of the shop again, behind all new records. */
@Starts(FeedResends)
@Module({
  imports: [LoadsModule, RecordsModule],
  controllers: [ResendsController],
  providers: [ResendsRepository, BeginResend, FeedResends],
})
export class ResendsModule {}
