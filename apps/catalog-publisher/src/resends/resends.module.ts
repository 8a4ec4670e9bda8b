import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { IntakeModule } from '../intake/intake.module.ts';
import { BeginResend } from './begin-resend.service.ts';
import { FeedResends } from './feed-resends.service.ts';
import { ResendsController } from './resends.controller.ts';
import { ResendsRepository } from './resends.repository.ts';

/** A resend is a load, too: the known state of the shop, behind all new records. */
@Starts(FeedResends)
@Module({
  imports: [IntakeModule],
  controllers: [ResendsController],
  providers: [ResendsRepository, BeginResend, FeedResends],
})
export class ResendsModule {}
