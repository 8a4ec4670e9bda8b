import type { LaneWorker } from '@gondola/messaging/lane-worker';

/** The workers of the lanes, one per tenant and kind of entity: one tenant's trouble stops nobody else (guarantee 5). */
export class CatalogWorkers {
  readonly all: readonly LaneWorker[];

  constructor(workers: readonly LaneWorker[]) {
    this.all = workers;
  }

  /** Something was stored in this process: look now. */
  nudge(): void {
    for (const worker of this.all) worker.nudge();
  }
}
