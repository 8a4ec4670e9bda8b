import { RepeatingTask, SWEEP_MS } from '@gondola/service-kit/run/repeating-task';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { OperationsRepository } from './operations.repository.ts';

/** Deletes old operations and their reports every hour. */
@Injectable()
export class OperationsSweep extends RepeatingTask {
  constructor(operations: OperationsRepository, @Inject(LOGGER) logger: Logger) {
    super({ name: 'operations sweep', everyMs: SWEEP_MS, run: () => operations.sweep(), logger });
  }
}
