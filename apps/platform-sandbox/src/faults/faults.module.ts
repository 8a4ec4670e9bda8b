import { Starts } from '@gondola/service-kit/run/startable';
import { Global, Module } from '@nestjs/common';
import { FaultBoard } from './fault-board.service.ts';

/** Faults of calls and of notifications. */
@Global()
@Starts(FaultBoard)
@Module({
  providers: [FaultBoard],
  exports: [FaultBoard],
})
export class FaultsModule {}
