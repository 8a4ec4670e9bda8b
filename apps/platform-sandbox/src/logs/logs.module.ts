import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { HistorySweep } from './history-sweep.service.ts';
import { LogsController } from './logs.controller.ts';
import { OperationLogRepository } from './operation-log.repository.ts';

/** Logs of calls, operations and notifications; old entries are removed. */
@Starts(HistorySweep)
@Module({
  controllers: [LogsController],
  providers: [OperationLogRepository, HistorySweep],
})
export class LogsModule {}
