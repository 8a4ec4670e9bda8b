import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { BeginRecovery } from './begin-recovery.service.ts';

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
