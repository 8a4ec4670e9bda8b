import { RepeatingTask } from '@gondola/messaging/repeating-task';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { TENANTS } from '@gondola/service-kit/run/injected';
import { Inject, Injectable } from '@nestjs/common';
import { BeginRecovery } from './begin-recovery.service.ts';

/** Largest delay of a scan; shorter for a tenant that scans more often. */
const LOOK_MS = 60_000;

/** Begins the scans of the tenants that want them (`recovery.scanEveryMs`; off by default). */
@Injectable()
export class ScanForGaps extends RepeatingTask {
  constructor(
    begin: BeginRecovery,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'recovery'>>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const scans = tenants.flatMap(({ id, recovery: { scanEveryMs, scanNumbers: below, scanAhead: above } }) =>
      scanEveryMs === null ? [] : [{ id, scanEveryMs, window: { below, above } }],
    );
    const everyMs = Math.min(LOOK_MS, ...scans.map(({ scanEveryMs }) => scanEveryMs));
    const run = async (): Promise<void> => {
      for (const { id, scanEveryMs, window } of scans) await begin.scan(id, scanEveryMs, window);
    };
    super({ name: 'scan for gaps', everyMs, run, logger });
  }
}
