import type { Database, Tx } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import type { Notification, QuarantineReason } from '../domain/read-notification.ts';

/** `open`: nobody has decided yet. */
export const QUARANTINE_STATES = ['open', 'reprocessed', 'discarded'] as const;
type QuarantineState = (typeof QUARANTINE_STATES)[number];

/** An entry as operators see it: without its content. */
export interface QuarantineEntry {
  readonly id: string;
  readonly tenant: string;
  readonly reason: QuarantineReason;
  readonly detail: string;
  readonly bytes: number;
  readonly receivedAt: Date;
  readonly state: QuarantineState;
  readonly settledAt: Date | null;
  /** Why it was discarded. */
  readonly note: string | null;
  readonly bodyErasedAt: Date | null;
}

/** An entry with its content. */
export interface HeldEntry extends QuarantineEntry {
  readonly body: Buffer | null;
}

export interface QuarantineFilter {
  readonly tenant?: string | undefined;
  readonly reason?: string | undefined;
  readonly state?: QuarantineState | undefined;
}

const ENTRY = `
  id, tenant, reason, detail, coalesce(length(body), erased_bytes, 0) AS bytes, received_at AS "receivedAt", state,
  settled_at AS "settledAt", note, erased_at AS "bodyErasedAt"`;

/** What was delivered and not understood, and what became of it. Tested in quarantine.int.spec.ts. */
export class QuarantineRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those below the id `before`, newest first. */
  async list(filter: QuarantineFilter, before: string, limit: number): Promise<QuarantineEntry[]> {
    const { rows } = await this.#database.query<QuarantineEntry>(
      `SELECT ${ENTRY} FROM quarantine
       WHERE id < $1 AND ($3::text IS NULL OR tenant = $3) AND ($4::text IS NULL OR reason = $4) AND ($5::text IS NULL OR state = $5)
       ORDER BY id DESC LIMIT $2`,
      [before, limit, filter.tenant ?? null, filter.reason ?? null, filter.state ?? null],
    );
    return rows;
  }

  /** One of them, or null. */
  async find(id: string): Promise<QuarantineEntry | null> {
    const { rows } = await this.#database.query<QuarantineEntry>(`SELECT ${ENTRY} FROM quarantine WHERE id = $1`, [id]);
    return rows[0] ?? null;
  }

  /** Its content as received; null where it was erased. */
  async bodyOf(id: string): Promise<Buffer | null> {
    const { rows } = await this.#database.query<{ body: Buffer | null }>('SELECT body FROM quarantine WHERE id = $1', [
      id,
    ]);
    return rows[0]?.body ?? null;
  }

  /** Runs a decision about one entry that nobody else decides about meanwhile; null where there is none. */
  async decide<Result>(id: string, work: (tx: Tx, entry: HeldEntry) => Promise<Result>): Promise<Result | null> {
    return this.#database.transaction(async (tx) => {
      const { rows } = await tx.query<HeldEntry>(`SELECT ${ENTRY}, body FROM quarantine WHERE id = $1 FOR UPDATE`, [
        id,
      ]);
      return rows[0] === undefined ? null : work(tx, rows[0]);
    });
  }

  /**
   * Copies an entry into the inbox, as it was received; false where the notification is there already. After an error
   * the transaction goes on as if nothing had been tried.
   */
  async store(tx: Tx, id: string, notification: Notification): Promise<boolean> {
    const { dedupKey, operationId, eventType, relatedEntity, topic, partitionKey, subject } = notification;
    await tx.query('SAVEPOINT storing');
    try {
      const { rowCount } = await tx.query(
        `INSERT INTO notifications
           (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body, traceparent, received_at)
         SELECT $2, tenant, $3, $4, $5, $6, $7, $8, body, traceparent, received_at FROM quarantine WHERE id = $1
         ON CONFLICT (dedup_key) DO NOTHING`,
        [id, dedupKey, operationId, eventType, relatedEntity, topic, partitionKey, subject],
      );
      return rowCount === 1;
    } catch (error) {
      if (classifyDatabaseError(error) !== 'transient') await tx.query('ROLLBACK TO SAVEPOINT storing');
      throw error;
    }
  }

  async settle(tx: Tx, id: string, state: 'reprocessed' | 'discarded', note: string | null): Promise<void> {
    await tx.query('UPDATE quarantine SET state = $2, settled_at = now(), note = $3 WHERE id = $1', [id, state, note]);
  }

  /** Why it is still no notification, by today's rules. */
  async keepOpen(tx: Tx, id: string, reason: QuarantineReason, detail: string): Promise<void> {
    await tx.query('UPDATE quarantine SET reason = $2, detail = $3 WHERE id = $1', [id, reason, detail]);
  }
}
