import { Starts } from '@gondola/service-kit/run/startable';
import { Global, Module } from '@nestjs/common';
import { SwitchBoard } from './switch-board.service.ts';

/** Behaviour that the platform's document leaves open. */
@Global()
@Starts(SwitchBoard)
@Module({
  providers: [SwitchBoard],
  exports: [SwitchBoard],
})
export class SwitchesModule {}
