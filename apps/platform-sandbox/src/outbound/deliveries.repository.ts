import { Injectable } from '@nestjs/common';
import type { WebhookRegistration } from '../domain/webhooks/registration.ts';
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

/** One notification whose next attempt is written down and has to be made. */
export interface BegunDelivery {
  readonly id: string;
  readonly eventType: string;
  readonly operationId: string;
  readonly body: Buffer;
  /** The number of that attempt. */
  readonly attempt: number;
  readonly webhook: WebhookRegistration;
}

export interface AttemptEnd {
  readonly id: string;
  readonly attempt: number;
  /** The HTTP status, null when none came. */
  readonly answer: number | null;
  /** Of the delivery after it. */
  readonly state: 'pending' | 'delivered' | 'dead';
}

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

  /**
   * Begins the next attempt of those that are due, the longest due first, without those that are being sent already. One of which a crash
   * left all `mostAttempts` made, or whose webhook a reset took, is dead.
   */
  async begin(db: Queryable, limit: number, except: readonly string[], mostAttempts: number): Promise<BegunDelivery[]> {
    const { rows } = await db.query<BegunDelivery>(
      `WITH due AS (
         SELECT d.id, event_type, operation_id, body, attempts + 1 AS attempt, due_at, registration,
                attempts < $3 AND registration IS NOT NULL AS lives
         FROM deliveries d LEFT JOIN webhooks w USING (contract_account_id)
         WHERE state = 'pending' AND due_at <= now() AND d.id <> ALL($2::bigint[]) ORDER BY due_at, d.id LIMIT $1
       ), counted AS (
         UPDATE deliveries d SET attempts = CASE WHEN lives THEN due.attempt ELSE attempts END,
           state = CASE WHEN lives THEN 'pending' ELSE 'dead' END, ended_at = CASE WHEN NOT lives THEN now() END
         FROM due WHERE d.id = due.id
       ), logged AS (
         INSERT INTO delivery_attempts (delivery_id, attempt) SELECT id, attempt FROM due WHERE lives
       )
       SELECT id, event_type AS "eventType", operation_id AS "operationId", body, attempt, registration AS webhook
       FROM due WHERE lives ORDER BY due_at, id`,
      [limit, except, mostAttempts],
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

  /** In the log they stand in no order among each other, and after all that were ended before. */
  async endAttempts(db: Queryable, ends: readonly AttemptEnd[]): Promise<void> {
    await db.query(
      `WITH ends AS (
         SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::text[]) AS e (delivery_id, attempt, answer, state)
       ), ended AS (
         UPDATE deliveries d SET state = ends.state, ended_at = CASE WHEN ends.state <> 'pending' THEN now() END
         FROM ends WHERE d.id = ends.delivery_id AND d.state = 'pending'
       )
       UPDATE delivery_attempts a SET seq = nextval('delivery_attempt_seq'), answer = ends.answer
       FROM ends WHERE a.delivery_id = ends.delivery_id AND a.attempt = ends.attempt`,
      [
        ends.map(({ id }) => id),
        ends.map(({ attempt }) => attempt),
        ends.map(({ answer }) => answer),
        ends.map(({ state }) => state),
      ],
    );
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
