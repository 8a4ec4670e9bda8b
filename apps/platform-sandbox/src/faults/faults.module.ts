import { Starts } from '@gondola/service-kit/run/startable';
import { Global, Module } from '@nestjs/common';
import { FaultBoard } from './fault-board.service.ts';

/** What is made to go wrong, of calls and of notifications. */
@Global()
@Starts(FaultBoard)
@Module({
  providers: [FaultBoard],
  exports: [FaultBoard],
})
export class FaultsModule {}
