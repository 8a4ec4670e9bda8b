import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { recoveryLane } from './recovery-lane.ts';
import type { NumberRange, ScanWindow } from './recovery-progress.ts';
import { RecoveryRepository } from './recovery.repository.ts';

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
      return this.recovery.begin(tx, tenant, range, 'operator');
    });
    this.workers.wake();
    return id;
  }

  /**
   * Scans a tenant's newest numbers for gaps, and some above them, if the last scan is that long ago. Scans that came
   * to nothing are forgotten.
   */
  async scan(tenant: string, everyMs: number, window: ScanWindow): Promise<void> {
    await this.database.transaction(async (tx) => {
      // The lane's lock makes replicas that scan at once take turns.
      await this.lanes.wake(tx, [recoveryLane(tenant)]);
      const lastMs = await this.recovery.lastScanMs(tx, tenant);
      if (lastMs !== null && lastMs < everyMs) return;
      const range = await this.recovery.newestRange(tx, tenant, window);
      await this.recovery.forgetScans(tx, tenant);
      if (range !== null) await this.recovery.begin(tx, tenant, range, 'scan');
    });
    this.workers.wake();
  }
}
