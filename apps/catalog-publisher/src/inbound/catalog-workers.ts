import type { LaneWorker } from '@gondola/messaging/lane-worker';

/** The workers of the lanes, one per tenant and kind of entity: one tenant's trouble stops nobody else (guarantee 5). */
export class CatalogWorkers {
  readonly all: readonly LaneWorker[];

  /** `nudge` is for the workers themselves: what one makes known another waits for. */
  constructor(make: (nudge: () => void) => readonly LaneWorker[]) {
    this.all = make(() => this.nudge());
  }

  /** Something was stored in this process: look now. */
  nudge(): void {
    for (const worker of this.all) worker.nudge();
  }
}
