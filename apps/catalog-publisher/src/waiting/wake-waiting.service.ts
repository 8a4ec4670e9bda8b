import { Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { Database } from '@gondola/service-kit/database/database';
import { Inject, Injectable } from '@nestjs/common';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { ReferenceWaitsRepository } from './reference-waits.repository.ts';

const OVERDUE_AT_ONCE = 500;

/**
 * Wakes the lanes whose awaited references are known. Runs after the transaction that made them known, in one of its
 * own that locks only the woken lanes. After a crash between the two, the next step in the lane of a brand or category,
 * which is due at once, wakes them; `WakeSweep` does for a SKU.
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
      await this.referenceWaits.delete(tx, laneIds, kind, references);
    });
    this.workers.wake(due);
  }

  /** Wakes the lanes that still wait for a published SKU. */
  async wakeOverdue(): Promise<void> {
    let overdue;
    do {
      overdue = await this.referenceWaits.overdueSkus(this.database, OVERDUE_AT_ONCE);
      for (const [tenant, skus] of Map.groupBy(overdue, (sku) => sku.tenant)) {
        await this.wake(
          tenant,
          'sku',
          skus.map(({ externalReference }) => externalReference),
        );
      }
    } while (overdue.length === OVERDUE_AT_ONCE);
  }
}

/** Each run reads all waits; the one that matters comes with a start. */
const SWEEP_MS = 600_000;

/** Wakes lanes that wait for a published SKU, because the process that published it ended before it woke them. */
@Injectable()
export class WakeSweep extends RepeatingTask {
  constructor(waiting: WakeWaiting, @Inject(LOGGER) logger: Logger) {
    super({ name: 'waiting sweep', everyMs: SWEEP_MS, run: () => waiting.wakeOverdue(), logger });
  }
}
