import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { WebhookRegistration } from './registration.ts';

export interface NewDelivery {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly eventType: string;
  readonly body: Buffer;
  readonly copies: number;
  readonly delayMs: number;
  /** Stored, but never sent. */
  readonly lost: boolean;
}

/** One notification whose next attempt is stored and has to be made. */
export interface BegunDelivery {
  readonly id: string;
  readonly eventType: string;
  readonly operationId: string;
  readonly body: Buffer;
  readonly attempt: number;
  readonly webhook: WebhookRegistration;
}

export interface Beginning {
  readonly begun: readonly BegunDelivery[];
  /** True if nothing else is due. */
  readonly isAll: boolean;
  /** Milliseconds until the next delivery that is not due yet; undefined if there is none. */
  readonly nextDueInMs: number | undefined;
}

/** One row of nulls if nothing is due. */
interface DueRow extends Omit<BegunDelivery, 'webhook'> {
  readonly registration: string;
  readonly lives: boolean;
  readonly nextDueInMs: number | null;
}

export interface AttemptEnd {
  readonly id: string;
  readonly attempt: number;
  /** The HTTP status, null without an answer. */
  readonly answer: number | null;
  /** State of the delivery after it. */
  readonly state: 'pending' | 'delivered' | 'dead';
  /** True if its next attempt begins at once. */
  readonly goesOn: boolean;
}

const ROW_TYPES = ['int', 'text', 'text', 'text', 'bytea', 'text', 'float8', 'int'];

/**
 * The queue of the webhook sender. An attempt is stored before it is made, so that a crash never causes a fourth.
 */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds deliveries in order. Copies of one notification share one `created_at`; different notifications of a
   * transaction have different ones.
   */
  async add(deliveries: readonly NewDelivery[], tx: Tx): Promise<void> {
    if (deliveries.length === 0) return;
    // One row of parameters for each delivery, because the driver would write an array of bytes as text.
    const rows = deliveries.map((_, index) => {
      const at = index * ROW_TYPES.length;
      return `(${ROW_TYPES.map((type, column) => `$${at + column + 1}::${type}`).join(', ')})`;
    });
    await tx.query(
      `INSERT INTO deliveries (operation_id, contract_account_id, event_type, body, state, due_at, created_at)
       SELECT operation_id, contract_account_id, event_type, body, state,
              now() + delay_ms * interval '1 ms', now() + position * interval '1 microsecond'
       FROM (VALUES ${rows.join(', ')}) AS n (position, operation_id, contract_account_id, event_type, body, state, delay_ms, copies)
       CROSS JOIN generate_series(1, copies) ORDER BY position`,
      deliveries.flatMap(({ operationId, contractAccountId, eventType, body, lost, delayMs, copies }, position) => [
        position,
        operationId,
        contractAccountId,
        eventType,
        body,
        lost ? 'lost' : 'pending',
        delayMs,
        copies,
      ]),
    );
  }

  /**
   * Begins the next attempt of due deliveries, longest due first, except those that are being sent. A delivery is
   * dead if a crash left it with `mostAttempts` attempts, or if a reset removed its webhook.
   */
  async begin(limit: number, except: readonly string[], mostAttempts: number): Promise<Beginning> {
    const { rows } = await this.database.query<DueRow>(
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
       ), later AS (
         SELECT ceil(extract(epoch FROM min(due_at) - clock_timestamp()) * 1000)::float8 AS ms FROM deliveries
         WHERE state = 'pending' AND due_at > now()
       )
       SELECT id, event_type AS "eventType", operation_id AS "operationId", body, attempt, registration, lives,
              ms AS "nextDueInMs"
       FROM later LEFT JOIN due ON true ORDER BY due_at, id`,
      [limit, except, mostAttempts],
    );
    const due = rows.filter(({ id }) => id !== null);
    return {
      begun: due.flatMap(({ lives, registration, ...delivery }) =>
        lives ? [{ ...delivery, webhook: JSON.parse(registration) as WebhookRegistration }] : [],
      ),
      isAll: due.length < limit,
      nextDueInMs: rows[0]?.nextDueInMs ?? undefined,
    };
  }

  /**
   * Stores the results of attempts, and begins the next attempt of deliveries that continue. In the log these
   * results have no particular order, but follow all earlier ones. Returns the ids of existing deliveries, because
   * a reset may have removed some meanwhile.
   */
  async endAttempts(ends: readonly AttemptEnd[]): Promise<Set<string>> {
    const { rows } = await this.database.query<{ id: string }>(
      `WITH ends AS (
         SELECT * FROM unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::bool[]) AS e (delivery_id, attempt, answer, state, goes_on)
       ), ended AS (
         UPDATE deliveries d SET state = ends.state, ended_at = CASE WHEN ends.state <> 'pending' THEN now() END,
           attempts = CASE WHEN goes_on THEN ends.attempt + 1 ELSE attempts END
         FROM ends WHERE d.id = ends.delivery_id AND d.state = 'pending' RETURNING d.id
       ), begun AS (
         INSERT INTO delivery_attempts (delivery_id, attempt)
         SELECT delivery_id, attempt + 1 FROM ends JOIN ended ON ended.id = delivery_id WHERE goes_on
       ), logged AS (
         UPDATE delivery_attempts a SET seq = nextval('delivery_attempt_seq'), answer = ends.answer
         FROM ends WHERE a.delivery_id = ends.delivery_id AND a.attempt = ends.attempt
       )
       SELECT id FROM ended`,
      [
        ends.map(({ id }) => id),
        ends.map(({ attempt }) => attempt),
        ends.map(({ answer }) => answer),
        ends.map(({ state }) => state),
        ends.map(({ goesOn }) => goesOn),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** After a crash: closes attempts with an unknown result, without an answer. */
  async endForgottenAttempts(): Promise<void> {
    await this.database.query(`UPDATE delivery_attempts SET seq = nextval('delivery_attempt_seq') WHERE seq IS NULL`);
  }
}
