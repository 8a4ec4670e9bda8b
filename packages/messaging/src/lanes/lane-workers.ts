import type { Startable } from '@gondola/service-kit/run/startable';

import type { LaneWorker } from './lane-worker.ts';

/**
 * An app's workers, one per tenant and kind, as one part. They stop side by side: each may wait some seconds for its
 * steps, and one after another they would not fit into the ten that a shutdown has.
 */
export class LaneWorkers implements Startable {
  readonly name = 'lane workers';
  readonly #workers: readonly LaneWorker[];

  constructor(workers: readonly LaneWorker[]) {
    this.#workers = workers;
  }

  async start(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /** Something was woken in this process: look now. */
  wake(): void {
    for (const worker of this.#workers) worker.wake();
  }
}
