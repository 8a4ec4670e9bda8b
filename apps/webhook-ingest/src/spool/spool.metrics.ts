import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';
import { InboxOrSpool } from './inbox-or-spool.service.ts';
import { Spool } from './spool.adapter.ts';

const MS_PER_SECOND = 1_000;

/** Shows the size of the spool and whether notifications go into it, and counts imported notifications. */
@Injectable()
export class SpoolMetrics {
  readonly #imported: Counter;

  constructor(registry: Registry, spool: Spool, inboxOrSpool: InboxOrSpool) {
    const gauge = (name: string, help: string, value: () => number): void => {
      const made: Gauge = new Gauge({ name, help, registers: [registry], collect: () => made.set(value()) });
    };
    gauge('gondola_spool_active', '1 while notifications are stored in the spool instead of the database, else 0', () =>
      Number(inboxOrSpool.isSpooling),
    );
    gauge('gondola_spool_writable', '1 while the spool can store notifications, else 0', () =>
      Number(spool.isWritable),
    );
    gauge('gondola_spool_records', 'Notifications in the spool that wait to be imported', () => spool.stats().records);
    gauge('gondola_spool_bytes', 'Bytes of disk that the spool takes', () => spool.stats().bytes);
    gauge('gondola_spool_limit_bytes', 'Bytes of disk that the spool may take (SPOOL_MAX_BYTES)', () => spool.maxBytes);
    gauge(
      'gondola_spool_oldest_age_seconds',
      'Age in seconds of the oldest notification in the spool, 0 if it has none',
      () => {
        const { oldest } = spool.stats();
        return oldest === null ? 0 : (Date.now() - oldest.getTime()) / MS_PER_SECOND;
      },
    );
    gauge(
      'gondola_spool_aside_files',
      'Spool files that could not be imported and that an operator must look at',
      () => spool.aside.files,
    );
    this.#imported = new Counter({
      name: 'gondola_spool_imported_total',
      help: 'Notifications imported from the spool into the inbox',
      registers: [registry],
    });
  }

  imported(records: number): void {
    this.#imported.inc(records);
  }
}
