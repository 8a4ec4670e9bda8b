import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { MINUTE_MS } from '@gondola/shared/durations';
import { Injectable } from '@nestjs/common';
import { recoveryLane } from './recovery-lane.ts';
import { newestNumbers, type NumberRange, type ScanWindow } from './recovery-progress.ts';
import { RecoveryRepository } from './recovery.repository.ts';

/** Numbers from which the newest known one is judged. */
const COMPARED = 1_000;

/** Begins to look for orders that no notification named: the run and its tenant's wake are one transaction. */
@Injectable()
export class BeginRecovery {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly recovery: RecoveryRepository,
    private readonly workers: LaneWorkers,
  ) {}

  /** For an operator; returns the run's id. */
  async run(tenant: string, range: NumberRange): Promise<string> {
    const id = await this.database.transaction(async (tx) => {
      await this.lanes.wake(tx, [recoveryLane(tenant)]);
      const known = newestNumbers(await this.recovery.highestNumbers(tx, tenant, COMPARED), COMPARED);
      return this.recovery.begin(tx, tenant, range, { source: 'operator', newest: known?.to ?? 0, firstReadInMs: 0 });
    });
    this.workers.wake();
    return id;
  }

  /** Has the tenant's lane look for open orders whose time has come. */
  async wake(tenant: string): Promise<void> {
    await this.database.transaction((tx) => this.lanes.wake(tx, [recoveryLane(tenant)]));
    this.workers.wake();
  }

  /**
   * Scans a tenant's newest numbers for gaps, and some above them, if the last scan is that long ago. Scans that came
   * to nothing are forgotten.
   */
  async scan(tenant: string, everyMs: number, { below, above }: ScanWindow): Promise<void> {
    await this.database.transaction(async (tx) => {
      // The lane's lock makes replicas that scan at once take turns.
      await this.lanes.wake(tx, [recoveryLane(tenant)]);
      const lastMs = await this.recovery.lastScanMs(tx, tenant);
      if (lastMs !== null && lastMs < everyMs) return;
      const known = newestNumbers(await this.recovery.highestNumbers(tx, tenant, below), below);
      await this.recovery.forgetScans(tx, tenant);
      if (known === null) return;
      // Notifications that are on their way come first.
      const scan = { source: 'scan', newest: known.to, firstReadInMs: Math.min(MINUTE_MS, everyMs / 2) } as const;
      await this.recovery.begin(tx, tenant, { from: known.from, to: known.to + above }, scan);
    });
    this.workers.wake();
  }
}
