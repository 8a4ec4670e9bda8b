import { multiRow } from '@gondola/messaging/multi-row';
import type { Database } from '@gondola/service-kit/database';
import type { Notification, Quarantined } from '../domain/read-notification.ts';

export interface ReceivedBody {
  readonly tenant: string;
  readonly body: Buffer;
  readonly traceparent: string;
  readonly receivedAt: Date;
}

export interface NewNotification extends Notification {
  readonly received: ReceivedBody;
}

export interface NewQuarantined extends Quarantined {
  readonly received: ReceivedBody;
}

/** Columns and their types, in the order of the values. */
const NOTIFICATION_COLUMNS = {
  dedup_key: 'text',
  tenant: 'text',
  operation_id: 'text',
  event_type: 'text',
  related_entity: 'text',
  topic: 'text',
  partition_key: 'text',
  subject: 'text',
  body: 'bytea',
  traceparent: 'text',
  received_at: 'timestamptz',
};
const QUARANTINE_COLUMNS = {
  dedup_key: 'text',
  tenant: 'text',
  reason: 'text',
  detail: 'text',
  body: 'bytea',
  traceparent: 'text',
  received_at: 'timestamptz',
};

/** The inbox. Uniqueness is the database's: three deliveries may meet three replicas in one millisecond (rule 2). */
export class NotificationsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores notifications in one statement, and returns after its commit: the dedup keys of those that were not there yet. */
  async insert(rows: readonly NewNotification[]): Promise<Set<string>> {
    return this.#insertAll('notifications', NOTIFICATION_COLUMNS, rows, (row) => [
      row.dedupKey,
      row.received.tenant,
      row.operationId,
      row.eventType,
      row.relatedEntity,
      row.topic,
      row.partitionKey,
      row.subject,
      row.received.body,
      row.received.traceparent,
      row.received.receivedAt,
    ]);
  }

  /** Stores what is no notification, as `insert` does. */
  async quarantine(rows: readonly NewQuarantined[]): Promise<Set<string>> {
    return this.#insertAll('quarantine', QUARANTINE_COLUMNS, rows, ({ dedupKey, reason, detail, received }) => [
      dedupKey,
      received.tenant,
      reason,
      detail,
      received.body,
      received.traceparent,
      received.receivedAt,
    ]);
  }

  /** Whether rows can be written now: the tables are there, and the server takes writes. Throws what stands against it. */
  async probe(): Promise<void> {
    await this.#database.query('UPDATE notifications SET sent_at = sent_at WHERE false');
  }

  /**
   * Ids are drawn in the order in which the rows came, since that is the order in which they are told; the rows are inserted in the order of
   * their keys, since replicas that insert the same keys in different orders would deadlock (rule 2).
   */
  async #insertAll<R>(
    table: string,
    columns: Readonly<Record<string, string>>,
    rows: readonly R[],
    valuesOf: (row: R) => readonly unknown[],
  ): Promise<Set<string>> {
    const inserted = new Set<string>();
    const names = Object.keys(columns).join(', ');
    for (const { tuples, values } of multiRow(rows, Object.values(columns), valuesOf)) {
      const { rows: found } = await this.#database.query<{ dedup_key: string }>(
        `INSERT INTO ${table} (id, ${names}) OVERRIDING SYSTEM VALUE
         SELECT * FROM (SELECT nextval('${table}_id_seq'), given.* FROM (VALUES ${tuples}) AS given (${names})) AS numbered
         ORDER BY dedup_key COLLATE "C"
         ON CONFLICT (dedup_key) DO NOTHING RETURNING dedup_key`,
        values,
      );
      for (const { dedup_key: key } of found) inserted.add(key);
    }
    return inserted;
  }
}
