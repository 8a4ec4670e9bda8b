import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { QuarantineRepository } from './quarantine.repository.ts';

/** Number of open entries, queried when metrics are read; absent while the database does not answer. */
@Injectable()
export class QuarantineMetrics {
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
