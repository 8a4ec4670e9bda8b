import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

/** Kind of a shown or erased body. */
export type ShownKind = 'notification' | 'quarantine';
/** Part that retention or an erasure removed: `body`, or `key`, the row that recognises a repeat. */
export type ForgottenPart = 'body' | 'key';
export type ForgetCause = 'retention' | 'erasure';

/** Counts contents shown and erased. */
@Injectable()
export class ContentMetrics {
  readonly #shown: Counter<'tenant' | 'kind'>;
  readonly #forgotten: Counter<'tenant' | 'kind' | 'part' | 'cause'>;
  readonly #lastRun: Gauge;

  constructor(registry: Registry) {
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

  /** Contents that an erasure removed. */
  erased(tenant: string, counts: { readonly notifications: number; readonly quarantined: number }): void {
    const labels = { tenant, part: 'body', cause: 'erasure' } as const;
    this.forgotten({ ...labels, kind: 'notification' }, counts.notifications);
    this.forgotten({ ...labels, kind: 'quarantine' }, counts.quarantined);
  }

  ranRetention(): void {
    this.#lastRun.setToCurrentTime();
  }
}
