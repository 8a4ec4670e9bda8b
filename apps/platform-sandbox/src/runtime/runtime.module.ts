import { Starts } from '@gondola/service-kit/run/startable';
import { Global, Module } from '@nestjs/common';
import { Ids } from './ids.service.ts';
import { Quiet } from './quiet.service.ts';
import { Signals } from './signals.service.ts';

/** Ids, wake signals, and the wait for an idle core and sender, which every feature uses. */
@Global()
@Starts(Ids)
@Module({
  providers: [Ids, Signals, Quiet],
  exports: [Ids, Signals, Quiet],
})
export class RuntimeModule {}
