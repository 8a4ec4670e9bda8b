import { Inject, Injectable } from '@nestjs/common';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';

import { ConsumedRecords } from '../consume/consumed-records.ts';
import { RepeatingTask } from '../repeating-task.ts';
import { settlesWithin } from '../within.ts';
import { ConsumerLag } from './consumer-lag.ts';

const LAG_MS = 10_000;
const ADMIN_STOP_MS = 1_000;

/** Measures the group's lag again and again. Stopped after the lane workers, which ask how far the group is. */
@Injectable()
export class LagWatch implements Startable {
  readonly name = 'consumer lag';
  readonly #task: RepeatingTask;

  constructor(
    private readonly lag: ConsumerLag,
    private readonly consumed: ConsumedRecords,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#task = new RepeatingTask({ name: this.name, everyMs: LAG_MS, run: () => lag.check(), logger });
  }

  async start(): Promise<void> {
    await this.#task.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#task.stop(), settlesWithin(ADMIN_STOP_MS, this.consumed.stop())]);
    await settlesWithin(ADMIN_STOP_MS, this.lag.close());
  }
}
