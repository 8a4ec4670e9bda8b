import { Inject, Injectable } from '@nestjs/common';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';

import { RepeatingTask } from '../repeating-task.ts';
import { DeadLetters } from './dead-letters.ts';

const SWEEP_MS = 3_600_000;

/** Deletes old dead letters every hour. */
@Injectable()
export class DeadLetterSweep extends RepeatingTask {
  constructor(deadLetters: DeadLetters, @Inject(LOGGER) logger: Logger) {
    super({ name: 'dead letter sweep', everyMs: SWEEP_MS, run: () => deadLetters.deleteOld(), logger });
  }
}
