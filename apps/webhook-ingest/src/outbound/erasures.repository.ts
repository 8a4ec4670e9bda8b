import type { Database, Tx } from '@gondola/service-kit/database/database';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';

/** That somebody wanted an order's content forgotten, and how far it is. */
export interface Erasure {
  readonly id: string;
  readonly tenant: string;
  readonly orderNumber: string;
  readonly at: Date;
  /** Contents erased so far. */
  readonly notifications: number;
  readonly quarantined: number;
  /** Not sent yet; each is erased once it is. */
  readonly waiting: number;
}

/** How much one round erased, by tenant. */
export interface ErasedCount {
  readonly tenant: string;
  readonly notifications: number;
  readonly quarantined: number;
}

const WAITS = 'n.topic IS NOT NULL AND n.sent_at IS NULL AND n.parked_at IS NULL';

const ERASURE = `
  e.id, e.tenant, e.order_number AS "orderNumber", e.requested_at AS at, e.notifications, e.quarantined,
  (SELECT count(*)::int FROM notifications AS n
   WHERE n.partition_key = e.partition_key AND n.received_at <= e.requested_at AND n.body IS NOT NULL AND ${WAITS}) AS waiting`;

/** An open entry that loses its content is of no more use. */
const NOTE = 'Erased at the request for its order';

/**
 * Erasures by order number. A row is the record that it was asked for, and stands: whatever was received until then is
 * erased as soon as it may be, that is at once, after it was sent, or after a spool that holds it was imported. Tested
 * in erasures.int.spec.ts.
 */
export class ErasuresRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(tenant: string, orderNumber: string, at: Date): Promise<string> {
    const key = partitionKey(tenant, 'order', orderNumber);
    const subject = subjectOf({ kind: 'order', identity: orderNumber });
    const { rows } = await this.#database.query<{ id: string }>(
      `INSERT INTO erasures (tenant, order_number, partition_key, subject, requested_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
      [tenant, orderNumber, key, subject, at],
    );
    return rows[0]!.id;
  }

  async find(id: string): Promise<Erasure | null> {
    const { rows } = await this.#database.query<Erasure>(`SELECT ${ERASURE} FROM erasures AS e WHERE e.id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** Those below the id `before`, newest first. */
  async list(tenant: string | undefined, before: string, limit: number): Promise<Erasure[]> {
    const { rows } = await this.#database.query<Erasure>(
      `SELECT ${ERASURE} FROM erasures AS e WHERE e.id < $1 AND ($3::text IS NULL OR e.tenant = $3) ORDER BY e.id DESC LIMIT $2`,
      [before, limit, tenant ?? null],
    );
    return rows;
  }

  /** Erases some of what may be erased now, and counts it where it was asked for. Empty: there was nothing. */
  async apply(limit: number): Promise<readonly ErasedCount[]> {
    return this.#alone(async (tx) => {
      const { rows } = await tx.query<ErasedCount>(
        `WITH due AS (
         SELECT DISTINCT ON (n.id) n.id, e.id AS erasure FROM erasures AS e
         JOIN notifications AS n ON n.partition_key = e.partition_key AND n.received_at <= e.requested_at
         WHERE n.body IS NOT NULL AND NOT (${WAITS}) ORDER BY n.id, e.id LIMIT $1
       ), due_quarantined AS (
         SELECT DISTINCT ON (q.id) q.id, e.id AS erasure FROM erasures AS e
         JOIN quarantine AS q ON q.tenant = e.tenant AND q.subject = e.subject AND q.received_at <= e.requested_at
         WHERE q.body IS NOT NULL ORDER BY q.id, e.id LIMIT $1
       ), erased AS (
         UPDATE notifications AS n SET body = NULL, erased_bytes = length(n.body), erased_at = now()
         FROM due WHERE n.id = due.id AND n.body IS NOT NULL RETURNING due.erasure
       ), erased_quarantined AS (
         UPDATE quarantine AS q SET body = NULL, erased_bytes = length(q.body), erased_at = now(),
           settled_at = CASE WHEN q.state = 'open' THEN now() ELSE q.settled_at END,
           note = CASE WHEN q.state = 'open' THEN $2 ELSE q.note END,
           state = CASE WHEN q.state = 'open' THEN 'discarded' ELSE q.state END
         FROM due_quarantined AS due WHERE q.id = due.id AND q.body IS NOT NULL RETURNING due.erasure
       ), counted AS (
         SELECT erasure, sum(notifications)::int AS notifications, sum(quarantined)::int AS quarantined FROM (
           SELECT erasure, 1 AS notifications, 0 AS quarantined FROM erased
           UNION ALL SELECT erasure, 0, 1 FROM erased_quarantined
         ) AS each GROUP BY erasure
       )
       UPDATE erasures AS e SET notifications = e.notifications + c.notifications, quarantined = e.quarantined + c.quarantined
       FROM counted AS c WHERE e.id = c.erasure RETURNING e.tenant, c.notifications, c.quarantined`,
        [limit, NOTE],
      );
      return rows;
    });
  }

  /** Entries of the quarantine in which nobody has looked for an order yet, oldest first. */
  async unreadQuarantined(
    limit: number,
  ): Promise<ReadonlyArray<{ readonly id: string; readonly body: Buffer | null }>> {
    const { rows } = await this.#database.query<{ id: string; body: Buffer | null }>(
      'SELECT id, body FROM quarantine WHERE NOT subject_read ORDER BY id LIMIT $1',
      [limit],
    );
    return rows;
  }

  /** What was found in them; null for nothing. */
  async noteSubjects(found: ReadonlyArray<{ readonly id: string; readonly subject: string | null }>): Promise<void> {
    await this.#alone((tx) =>
      tx.query(
        `UPDATE quarantine AS q SET subject = found.subject, subject_read = true
       FROM unnest($1::bigint[], $2::text[]) AS found (id, subject) WHERE q.id = found.id`,
        [found.map(({ id }) => id), found.map(({ subject }) => subject)],
      ),
    );
  }

  /** Two replicas that erased the same rows in different orders would deadlock. */
  async #alone<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#database.transaction(async (tx) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended(current_schema || '.erasures', 0))`);
      return work(tx);
    });
  }
}
