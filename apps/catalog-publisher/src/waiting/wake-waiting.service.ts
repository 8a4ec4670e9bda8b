import { Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Database } from '@gondola/service-kit/database/database';
import { Inject, Injectable } from '@nestjs/common';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { ReferenceWaitsRepository } from './reference-waits.repository.ts';

/**
 * Wakes the lanes that wait for references which are known by now. It runs after the transaction that made them known,
 * in one of its own that locks nothing but the woken lanes. If a crash comes between, the next step in the reference's
 * lane does it: that one is due at once.
 */
@Injectable()
export class WakeWaiting {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly referenceWaits: ReferenceWaitsRepository,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'wake'>,
  ) {}

  async wake(tenant: string, kind: AwaitedReference['kind'], references: readonly string[]): Promise<void> {
    if (references.length === 0) return;
    const due = await this.referenceWaits.due(this.database, tenant, kind, references);
    if (due.length === 0) return;
    await this.database.transaction(async (tx) => {
      const ids = await this.lanes.wake(tx, due);
      const laneIds = due.map((lane) => ids.get(laneText(lane))!);
      await this.referenceWaits.forget(tx, laneIds, kind, references);
    });
    this.workers.wake();
  }
}
