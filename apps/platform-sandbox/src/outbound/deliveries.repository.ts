import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';

export interface NewDelivery {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly eventType: string;
  readonly body: Buffer;
  readonly copies: number;
  readonly delayMs: number;
  /** Written down, and never sent. */
  readonly lost: boolean;
}

/** One notification on its way. */
export interface Delivery {
  readonly id: string;
  readonly contractAccountId: string;
  readonly eventType: string;
  readonly operationId: string;
  readonly body: Buffer;
  /** Attempts begun so far. */
  readonly attempts: number;
}

const COLUMNS = `id, contract_account_id AS "contractAccountId", event_type AS "eventType", operation_id AS "operationId", body, attempts`;

/** The queue of the webhook sender. An attempt is written down before it is made, so that a crash never makes a fourth. */
@Injectable()
export class DeliveriesRepository {
  async add(db: Queryable, delivery: NewDelivery): Promise<void> {
    await db.query(
      `INSERT INTO deliveries (operation_id, contract_account_id, event_type, body, state, due_at)
       SELECT $1, $2, $3, $4, $5, now() + $6 * interval '1 ms' FROM generate_series(1, $7)`,
      [
        delivery.operationId,
        delivery.contractAccountId,
        delivery.eventType,
        delivery.body,
        delivery.lost ? 'lost' : 'pending',
        delivery.delayMs,
        delivery.copies,
      ],
    );
  }

  /** Due ones, the longest due first, without those that are being sent already. */
  async due(db: Queryable, limit: number, except: readonly string[]): Promise<Delivery[]> {
    const { rows } = await db.query<Delivery>(
      `SELECT ${COLUMNS} FROM deliveries
       WHERE state = 'pending' AND due_at <= now() AND id <> ALL($2::bigint[]) ORDER BY due_at, id LIMIT $1`,
      [limit, except],
    );
    return rows;
  }

  /** Milliseconds until the next one that is not due yet; undefined when there is none. */
  async nextDueInMs(db: Queryable): Promise<number | undefined> {
    const { rows } = await db.query<{ ms: number | null }>(
      `SELECT ceil(extract(epoch FROM min(due_at) - clock_timestamp()) * 1000)::float8 AS ms FROM deliveries
       WHERE state = 'pending' AND due_at > now()`,
    );
    return rows[0]?.ms ?? undefined;
  }

  async beginAttempt(db: Queryable, id: string, attempt: number): Promise<void> {
    await db.query(
      `WITH counted AS (UPDATE deliveries SET attempts = $2 WHERE id = $1)
       INSERT INTO delivery_attempts (delivery_id, attempt) VALUES ($1, $2)`,
      [id, attempt],
    );
  }

  /** `answer` is the HTTP status, null when none came; `state` ends the delivery. */
  async endAttempt(
    db: Queryable,
    id: string,
    attempt: number,
    answer: number | null,
    state: 'pending' | 'delivered' | 'dead',
  ): Promise<void> {
    await db.query(
      `WITH ended AS (
         UPDATE deliveries SET state = $4, ended_at = CASE WHEN $4 <> 'pending' THEN now() END WHERE id = $1 AND state = 'pending'
       )
       UPDATE delivery_attempts SET seq = nextval('delivery_attempt_seq'), answer = $3 WHERE delivery_id = $1 AND attempt = $2`,
      [id, attempt, answer, state],
    );
  }

  async bury(db: Queryable, id: string): Promise<void> {
    await db.query(`UPDATE deliveries SET state = 'dead', ended_at = now() WHERE id = $1`, [id]);
  }

  /** After a crash: attempts of which nobody knows how they ended, ended without an answer. */
  async endForgottenAttempts(db: Queryable): Promise<void> {
    await db.query(`UPDATE delivery_attempts SET seq = nextval('delivery_attempt_seq') WHERE seq IS NULL`);
  }

  async pending(db: Queryable, operationId: string | null = null): Promise<number> {
    const { rows } = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM deliveries
       WHERE state = 'pending' AND ($1::text IS NULL OR operation_id = $1)`,
      [operationId],
    );
    return rows[0]?.count ?? 0;
  }
}
