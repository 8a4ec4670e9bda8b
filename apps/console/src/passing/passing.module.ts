import { Module } from '@nestjs/common';
import { ActionsModule } from '../actions/actions.module.ts';
import { OperationsApisModule } from '../operations-apis/operations-apis.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { PassCall } from './pass-call.service.ts';
import { PassingController } from './passing.controller.ts';
import { PassingMetrics } from './passing.metrics.ts';

@Module({
  imports: [ActionsModule, OperationsApisModule, SessionsModule],
  controllers: [PassingController],
  providers: [PassCall, PassingMetrics],
})
export class PassingModule {}
