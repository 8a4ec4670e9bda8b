import { BulkJobsController } from '@gondola/operations/jobs/bulk-jobs.controller';
import { BulkJobs } from '@gondola/lanes/jobs/bulk-jobs';
import { BulkTarget } from '@gondola/lanes/jobs/bulk-target';
import { RunBulkJobs } from '@gondola/lanes/jobs/run-bulk-jobs';
import { Module } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { InboxModule } from '../inbox/inbox.module.ts';
import { OpenQuarantine } from './open-quarantine.service.ts';
import { QuarantineController } from './quarantine.controller.ts';
import { QuarantineRepository } from './quarantine.repository.ts';
import { SettleQuarantined } from './settle-quarantined.service.ts';

/** `/api/quarantine`, and `/api/jobs` on its entries. */
@Module({
  imports: [InboxModule],
  controllers: [QuarantineController, BulkJobsController],
  providers: [
    QuarantineRepository,
    SettleQuarantined,
    OpenQuarantine,
    { provide: BulkTarget, useExisting: OpenQuarantine },
    BulkJobs,
    RunBulkJobs,
  ],
})
export class QuarantineModule {
  /** The number of open entries is queried when metrics are read; it is absent while the database does not answer. */
  constructor(registry: Registry, quarantine: QuarantineRepository) {
    const gauge: Gauge<'tenant' | 'reason'> = new Gauge({
      name: 'gondola_quarantine_open',
      help: 'Quarantine entries that are open, by tenant and reason',
      labelNames: ['tenant', 'reason'],
      registers: [registry],
      collect: async () => {
        const found = await quarantine.countOpen().catch(() => []);
        gauge.reset();
        for (const { count, ...labels } of found) gauge.set(labels, count);
      },
    });
  }
}
