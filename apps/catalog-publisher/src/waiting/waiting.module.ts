import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { ReferenceWaitsRepository } from './reference-waits.repository.ts';
import { WakeSweep, WakeWaiting } from './wake-waiting.service.ts';

/** Lanes that wait for a brand, a category or a SKU (rule 24). */
@Starts(WakeSweep)
@Module({
  providers: [ReferenceWaitsRepository, WakeWaiting, WakeSweep],
  exports: [ReferenceWaitsRepository, WakeWaiting],
})
export class WaitingModule {}
