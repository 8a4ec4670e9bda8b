import { Database } from '@gondola/service-kit/database/database';
import { currentOperator } from '@gondola/service-kit/logging/operator';
import { Injectable } from '@nestjs/common';
import type { ShownMirror } from './mirror.dto.ts';

/** The next delivery of a mirror. `body` is null if it is to be sent no more, because it is erased. */
export type NextDelivery = {
  readonly id: string;
  readonly headers: string[];
  readonly body: Buffer | null;
  readonly attempts: number;
};

/** State of a mirror, with what waits for it. */
export type MirrorState = Omit<ShownMirror, 'receiver'> & { [column: string]: unknown };

/**
 * $1 tenant. The oldest, unless its entity has one that stepped aside; `orAside`: of those the one that is due first.
 * None while the mirror is paused. An order whose erasure was requested counts as erased, although its content may
 * still wait for Kafka. Tried: the first of each entity that is due, by a condition on each row: PostgreSQL read all
 * that wait for each delivery, 2 s of 100,000 without statistics.
 */
const next = (which: 'due' | 'aside') => `
  SELECT d.id, d.headers, d.attempts, CASE WHEN EXISTS (
      SELECT 1 FROM erasures AS e WHERE e.partition_key = d.partition_key
    ) THEN NULL ELSE coalesce(n.body, q.body) END AS body
  FROM mirror_deliveries AS d
  LEFT JOIN notifications AS n ON n.id = d.notification_id
  LEFT JOIN quarantine AS q ON q.id = d.quarantine_id
  WHERE d.tenant = $1 AND ${
    which === 'aside'
      ? 'd.attempts > 0 AND d.due_at > now()'
      : `d.partition_key NOT IN (SELECT a.partition_key FROM mirror_deliveries AS a
      WHERE a.tenant = $1 AND a.attempts > 0 AND a.due_at > now())`
  }
    AND NOT EXISTS (SELECT 1 FROM mirrors AS m WHERE m.tenant = $1 AND m.paused_at IS NOT NULL)
  ORDER BY ${which === 'aside' ? 'd.due_at' : 'd.id'} LIMIT 1`;
const NEXT_DUE = next('due');
const NEXT_ASIDE = next('aside');

/** $1 tenant, $2 milliseconds, $3 rows. Receipt times of neighbours differ by little, so only the oldest are read. */
const DROP_OLD = `
  DELETE FROM mirror_deliveries WHERE tenant = $1 AND received_at < now() - $2 * interval '1 millisecond'
    AND id IN (SELECT id FROM mirror_deliveries WHERE tenant = $1 ORDER BY id LIMIT $3)`;

/** $1 tenant, $2 rows that may wait, $3 rows. */
const DROP_SURPLUS = `
  DELETE FROM mirror_deliveries WHERE tenant = $1 AND id IN (
    SELECT id FROM mirror_deliveries WHERE tenant = $1
      AND id <= (SELECT id FROM mirror_deliveries WHERE tenant = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)
    ORDER BY id LIMIT $3)`;

/** $1 tenants. */
const STATES = `
  SELECT t.tenant, coalesce(d.waiting, 0) AS waiting, d.oldest AS "oldestAt", m.paused_at AS "pausedAt",
    m.paused_by AS "pausedBy", m.failing_since AS "failingSince", m.failure
  FROM unnest($1::text[]) AS t (tenant) LEFT JOIN mirrors AS m USING (tenant)
  LEFT JOIN (SELECT tenant, count(*)::float8 AS waiting, min(received_at) AS oldest
    FROM mirror_deliveries GROUP BY tenant) AS d USING (tenant)
  ORDER BY t.tenant`;

const PAUSE = `INSERT INTO mirrors (tenant, paused_at, paused_by) VALUES ($1, now(), $2)
  ON CONFLICT (tenant) DO UPDATE SET paused_at = now(), paused_by = $2 WHERE mirrors.paused_at IS NULL`;
const RESUME = 'UPDATE mirrors SET paused_at = NULL, paused_by = NULL WHERE tenant = $1';
const FAILED = `INSERT INTO mirrors (tenant, failing_since, failure) VALUES ($1, now(), $2) ON CONFLICT (tenant)
  DO UPDATE SET failing_since = coalesce(mirrors.failing_since, now()), failure = $2`;
const WORKS = `UPDATE mirrors SET failing_since = NULL, failure = NULL WHERE tenant = $1 AND failure IS NOT NULL`;

/** Rows that one statement drops at most. */
const BATCH = 1_000;

/** Deliveries that wait for the mirrors, and the mirrors' state. Tested in mirror.int.spec.ts. */
@Injectable()
export class MirrorDeliveries {
  constructor(private readonly database: Database) {}

  /** The next delivery of a tenant, if none is due `orAside`; null if there is none or the mirror is paused. */
  async next(tenant: string, orAside: boolean): Promise<NextDelivery | null> {
    const [due] = (await this.database.query<NextDelivery>(NEXT_DUE, [tenant])).rows;
    if (due !== undefined || !orAside) return due ?? null;
    return (await this.database.query<NextDelivery>(NEXT_ASIDE, [tenant])).rows[0] ?? null;
  }

  /** Ends a delivery: it was sent, refused or dropped. */
  async end(tenant: string, id: string): Promise<void> {
    await this.database.query('DELETE FROM mirror_deliveries WHERE tenant = $1 AND id = $2', [tenant, id]);
  }

  /** Counts a failed attempt; the delivery is due again after `waitMs`. */
  async failed(tenant: string, id: string, waitMs: number, failure: string): Promise<void> {
    const count = `UPDATE mirror_deliveries SET attempts = attempts + 1, due_at = now() + $3 * interval '1 millisecond'
      WHERE tenant = $1 AND id = $2`;
    await this.database.query(count, [tenant, id, waitMs]);
    await this.database.query(FAILED, [tenant, failure]);
  }

  /** The receiver answers again. `allDue`: it was away, so nothing that stepped aside waits any longer. */
  async works(tenant: string, allDue: boolean): Promise<void> {
    await this.database.query(WORKS, [tenant]);
    const due = 'UPDATE mirror_deliveries SET due_at = now() WHERE tenant = $1 AND attempts > 0 AND due_at > now()';
    if (allDue) await this.database.query(due, [tenant]);
  }

  /** Drops a batch of what is beyond the bounds of a tenant. Returns the numbers by reason. */
  async drop(tenant: string, { maxAgeMs, maxWaiting }: { maxAgeMs: number; maxWaiting: number }) {
    const age = (await this.database.query(DROP_OLD, [tenant, maxAgeMs, BATCH])).rowCount ?? 0;
    const count = (await this.database.query(DROP_SURPLUS, [tenant, maxWaiting, BATCH])).rowCount ?? 0;
    return { age, count };
  }

  /** Deletes what has waited too long for a mirror that no tenant has any more. */
  async forget(mirrored: readonly string[], maxAgeMs: number): Promise<void> {
    const forget = `DELETE FROM mirror_deliveries WHERE tenant <> ALL ($1) AND received_at < now() - $2 * interval '1 millisecond'`;
    await this.database.query(forget, [mirrored, maxAgeMs]);
  }

  async states(tenants: readonly string[]): Promise<MirrorState[]> {
    return (await this.database.query<MirrorState>(STATES, [tenants])).rows;
  }

  async pause(tenant: string): Promise<void> {
    await this.database.query(PAUSE, [tenant, currentOperator()]);
  }

  async resume(tenant: string): Promise<void> {
    await this.database.query(RESUME, [tenant]);
  }
}
