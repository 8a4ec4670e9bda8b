import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { OLDEST_OPERATION, OLDEST_REPORT, PlatformOperationsRepository } from './platform-operations.repository.ts';

/** Deletes old operations and their reports every hour. */
@Injectable()
export class PlatformOperationsSweep extends RepeatingTask {
  constructor(operations: PlatformOperationsRepository, unswept: UnsweptRows, @Inject(LOGGER) logger: Logger) {
    super({ name: 'operations sweep', everyMs: SWEEP_MS, run: () => operations.sweep(), logger });
    unswept.watch('operations', OLDEST_OPERATION);
    unswept.watch('operation_reports', OLDEST_REPORT);
  }
}
