import type { Database } from '@gondola/service-kit/database/database';
import type { NotificationFilter, NotificationState } from '../domain/notification-filter.ts';

/** A notification as operators see it: without its content. */
export interface NotificationEntry {
  readonly id: string;
  readonly tenant: string;
  readonly operationId: string;
  readonly eventType: string;
  readonly relatedEntity: string;
  readonly subject: string | null;
  readonly topic: string | null;
  readonly dedupKey: string;
  /** Of the body, also after it was erased. */
  readonly bytes: number;
  readonly receivedAt: Date;
  readonly state: NotificationState;
  readonly sentAt: Date | null;
  readonly parkedReason: string | null;
  readonly bodyErasedAt: Date | null;
}

const STATE = `
  CASE WHEN parked_at IS NOT NULL THEN 'parked' WHEN topic IS NULL THEN 'untold' WHEN sent_at IS NULL THEN 'waiting' ELSE 'sent' END`;

const ENTRY = `
  id, tenant, operation_id AS "operationId", event_type AS "eventType", related_entity AS "relatedEntity", subject, topic,
  dedup_key AS "dedupKey", coalesce(length(body), erased_bytes, 0) AS bytes, received_at AS "receivedAt", ${STATE} AS state,
  sent_at AS "sentAt", parked_reason AS "parkedReason", erased_at AS "bodyErasedAt"`;

/** Each as its index has it. */
const IN_STATE: Readonly<Record<NotificationState, string>> = {
  waiting: 'topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL',
  sent: 'sent_at IS NOT NULL',
  parked: 'parked_at IS NOT NULL',
  untold: 'topic IS NULL',
};

/** Finds what the inbox has (`GET /api/notifications`). Tested in notifications.int.spec.ts. */
export class NotificationSearchRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those below the id `before`, newest first. */
  async list(filter: NotificationFilter, before: string, limit: number): Promise<NotificationEntry[]> {
    const values: unknown[] = [before, limit];
    const conditions = ['id < $1'];
    const where = (condition: string, value: unknown): void => {
      if (value === undefined) return;
      values.push(value);
      conditions.push(`${condition} $${values.length}`);
    };
    where('tenant =', filter.tenant);
    where('operation_id =', filter.operationId);
    where('event_type =', filter.eventType);
    where('related_entity =', filter.relatedEntity);
    if (filter.partitionKeys !== undefined) {
      values.push(filter.partitionKeys);
      conditions.push(`partition_key = ANY ($${values.length}::text[])`);
    }
    if (filter.state !== undefined) conditions.push(IN_STATE[filter.state]);
    const { rows } = await this.#database.query<NotificationEntry>(
      `SELECT ${ENTRY} FROM notifications WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT $2`,
      values,
    );
    return rows;
  }

  /** One of them, or null. */
  async find(id: string): Promise<NotificationEntry | null> {
    const { rows } = await this.#database.query<NotificationEntry>(`SELECT ${ENTRY} FROM notifications WHERE id = $1`, [
      id,
    ]);
    return rows[0] ?? null;
  }

  /** Its content as received; null where it was erased. */
  async bodyOf(id: string): Promise<Buffer | null> {
    const { rows } = await this.#database.query<{ body: Buffer | null }>(
      'SELECT body FROM notifications WHERE id = $1',
      [id],
    );
    return rows[0]?.body ?? null;
  }
}
