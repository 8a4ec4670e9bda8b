import { Starts } from '@gondola/service-kit/run/startable';
import { Global, Module } from '@nestjs/common';
import { SwitchBoard } from './switch-board.service.ts';

/** What the platform does where its document leaves it open. */
@Global()
@Starts(SwitchBoard)
@Module({
  providers: [SwitchBoard],
  exports: [SwitchBoard],
})
export class SwitchesModule {}
