import { Database } from '@gondola/service-kit/database/database';
import { QuarantineEntryEntity } from '../quarantine/quarantine-entry.entity.ts';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** Kind of a shown or erased body. */
export type ShownKind = 'notification' | 'quarantine';
/** Part that retention or an erasure removed: `body`, or `key`, the row that recognises a repeat. */
export type ForgottenPart = 'body' | 'key';
export type ForgetCause = 'retention' | 'erasure';

/** Counts contents shown and erased, and shows the number of open quarantine entries. */
@Injectable()
export class OperationsMetrics {
  readonly #shown: Counter<'tenant' | 'kind'>;
  readonly #forgotten: Counter<'tenant' | 'kind' | 'part' | 'cause'>;
  readonly #lastRun: Gauge;

  constructor(registry: Registry, database: Database) {
    const registers = [registry];
    this.#shown = new Counter({
      name: 'gondola_bodies_shown_total',
      help: 'Stored bodies shown by the operations API; each may hold personal data',
      labelNames: ['tenant', 'kind'],
      registers,
    });
    this.#forgotten = new Counter({
      name: 'gondola_forgotten_total',
      help: 'Notifications and quarantine entries whose body was erased or whose key was deleted, by part and cause',
      labelNames: ['tenant', 'kind', 'part', 'cause'],
      registers,
    });
    this.#lastRun = new Gauge({
      name: 'gondola_retention_last_run_timestamp_seconds',
      help: 'Time of the last completed retention run of this replica, in seconds since 1970',
      registers,
    });
    registerQuarantineGauge(registry, database);
  }

  shown(tenant: string, kind: ShownKind): void {
    this.#shown.inc({ tenant, kind });
  }

  forgotten(
    labels: {
      readonly tenant: string;
      readonly kind: ShownKind;
      readonly part: ForgottenPart;
      readonly cause: ForgetCause;
    },
    count: number,
  ): void {
    const { tenant, kind, part, cause } = labels;
    if (count > 0) this.#forgotten.inc({ tenant, kind, part, cause }, count);
  }

  ranRetention(): void {
    this.#lastRun.setToCurrentTime();
  }
}

/** Queried when metrics are read; absent while the database does not answer. */
function registerQuarantineGauge(registry: Registry, database: Database): void {
  const gauge: Gauge<'tenant' | 'reason'> = new Gauge({
    name: 'gondola_quarantine_open',
    help: 'Quarantine entries that are open, by tenant and reason',
    labelNames: ['tenant', 'reason'],
    registers: [registry],
    collect: async () => {
      const found = await openEntries(database);
      gauge.reset();
      for (const { count, ...labels } of found) gauge.set(labels, count);
    },
  });
}

async function openEntries(database: Database) {
  try {
    return await database
      .repository(QuarantineEntryEntity)
      .createQueryBuilder('entry')
      .select('entry.tenant', 'tenant')
      .addSelect('entry.reason', 'reason')
      .addSelect('count(*)::float8', 'count')
      .where({ state: 'open' })
      .groupBy('entry.tenant')
      .addGroupBy('entry.reason')
      .getRawMany<{ tenant: string; reason: string; count: number }>();
  } catch {
    return [];
  }
}
