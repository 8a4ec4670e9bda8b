import { Starts } from '@gondola/service-kit/run/startable';
import { Module } from '@nestjs/common';
import { HistorySweep } from './history-sweep.service.ts';
import { LogsController } from './logs.controller.ts';
import { OperationLogRepository } from './operation-log.repository.ts';

/** What came in, what became of it, what went out; old entries are removed. */
@Starts(HistorySweep)
@Module({
  controllers: [LogsController],
  providers: [OperationLogRepository, HistorySweep],
})
export class LogsModule {}
