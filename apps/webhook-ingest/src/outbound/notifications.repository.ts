import type { Database } from '@gondola/service-kit/database';
import type { Notification, Quarantined } from '../domain/read-notification.ts';

export interface ReceivedBody {
  readonly tenant: string;
  readonly body: Buffer;
  readonly traceparent: string;
  readonly receivedAt: Date;
}

export interface QuarantineEntry {
  readonly id: string;
  readonly tenant: string;
  readonly reason: string;
  readonly detail: string;
  readonly bytes: number;
  readonly receivedAt: string;
}

/** The inbox. Uniqueness is the database's: three deliveries may meet three replicas in one millisecond (rule 2). */
export class NotificationsRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores a notification, and returns after the commit. False if it was there already. */
  async insert(notification: Notification, received: ReceivedBody): Promise<boolean> {
    const { dedupKey, operationId, eventType, relatedEntity, topic, partitionKey, subject } = notification;
    const { tenant, body, traceparent, receivedAt } = received;
    const { rowCount } = await this.#database.query(
      `INSERT INTO notifications
         (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body, traceparent, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (dedup_key) DO NOTHING`,
      [
        dedupKey,
        tenant,
        operationId,
        eventType,
        relatedEntity,
        topic,
        partitionKey,
        subject,
        body,
        traceparent,
        receivedAt,
      ],
    );
    return rowCount === 1;
  }

  /** Stores what is no notification, and returns after the commit. False if it was there already. */
  async quarantine({ dedupKey, reason, detail }: Quarantined, received: ReceivedBody): Promise<boolean> {
    const { tenant, body, traceparent, receivedAt } = received;
    const { rowCount } = await this.#database.query(
      `INSERT INTO quarantine (dedup_key, tenant, reason, detail, body, traceparent, received_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (dedup_key) DO NOTHING`,
      [dedupKey, tenant, reason, detail, body, traceparent, receivedAt],
    );
    return rowCount === 1;
  }

  /** What is in quarantine below the id `before`, newest first, without its content, which may be personal. */
  async listQuarantine(before: string, limit: number): Promise<QuarantineEntry[]> {
    const { rows } = await this.#database.query<Omit<QuarantineEntry, 'receivedAt'> & { received_at: Date }>(
      `SELECT id, tenant, reason, detail, length(body) AS bytes, received_at FROM quarantine
       WHERE id < $1 ORDER BY id DESC LIMIT $2`,
      [before, limit],
    );
    return rows.map(({ received_at, ...entry }) => ({ ...entry, receivedAt: received_at.toISOString() }));
  }
}
