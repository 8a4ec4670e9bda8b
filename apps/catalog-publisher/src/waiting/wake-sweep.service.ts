import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { WakeWaiting } from './wake-waiting.service.ts';

const EVERY_MS = 60_000;

/** Wakes lanes that wait for a published SKU, because the process that published it ended before it woke them. */
@Injectable()
export class WakeSweep extends RepeatingTask {
  constructor(waiting: WakeWaiting, @Inject(LOGGER) logger: Logger) {
    super({ name: 'waiting sweep', everyMs: EVERY_MS, run: () => waiting.wakeOverdue(), logger });
  }
}
