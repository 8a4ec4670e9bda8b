import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { MINUTE_MS } from '@gondola/shared/durations';
import { Inject, Injectable } from '@nestjs/common';
import { OpenOrdersRepository } from './open-orders.repository.ts';
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
    private readonly openOrders: OpenOrdersRepository,
    private readonly workers: LaneWorkers,
  ) {}

  /** For an operator, also for given up orders of the range; returns the run's id. */
  async run(tenant: string, range: NumberRange): Promise<string> {
    const id = await this.database.transaction(async (tx) => {
      await this.lanes.wake(tx, [recoveryLane(tenant)]);
      const known = newestNumbers(await this.recovery.highestNumbers(tx, tenant, COMPARED), COMPARED);
      await this.openOrders.takeUp(tx, tenant, range);
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

/** Largest delay of a scan, or of the first read of a quiet order; shorter for a tenant that wants them more often. */
const LOOK_MS = 10_000;

/** Begins the scans for gaps where they are not switched off, and has open orders looked at. */
@Injectable()
export class ScanForGaps extends RepeatingTask {
  constructor(
    begin: BeginRecovery,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'recovery'>>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const pauses = tenants.flatMap(({ recovery: { scanEveryMs, quietMs } }) =>
      [scanEveryMs ?? [], quietMs ?? []].flat(),
    );
    const run = async (): Promise<void> => {
      for (const { id, recovery } of tenants) {
        const { scanEveryMs, scanNumbers: below, scanAhead: above } = recovery;
        if (scanEveryMs === null) await begin.wake(id);
        else await begin.scan(id, scanEveryMs, { below, above });
      }
    };
    super({ name: 'scan for gaps', everyMs: Math.min(LOOK_MS, ...pauses), run, logger });
  }
}
