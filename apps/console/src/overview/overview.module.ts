import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { OperationsApisModule } from '../operations-apis/operations-apis.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { AppWatch } from './app-watch.service.ts';
import { OverviewController } from './overview.controller.ts';

@Starts(AppWatch)
@Module({
  imports: [OperationsApisModule, SessionsModule],
  controllers: [OverviewController],
  providers: [AppWatch],
})
export class OverviewModule {}
