import type { LaneWorker } from '@gondola/messaging/lane-worker';

/** The workers of the product lanes, one per tenant: one tenant's trouble stops nobody else (guarantee 5). */
export class ProductWorkers {
  readonly all: readonly LaneWorker[];

  constructor(workers: readonly LaneWorker[]) {
    this.all = workers;
  }

  /** Something was stored in this process: look now. */
  nudge(): void {
    for (const worker of this.all) worker.nudge();
  }
}
