import type { PoolClient } from 'pg';
import type { Queryable } from '@gondola/messaging/queryable';
import { encodeRecord, HEADER } from '@gondola/messaging/record-codec';
import type { RelayBacklog, RelayLimit, RelayRow, RelaySource } from '@gondola/messaging/relay-source';
import type { TopicName } from '@gondola/shared/topics';

interface Row {
  id: string;
  dedup_key: string;
  tenant: string;
  operation_id: string;
  event_type: string;
  related_entity: string;
  topic: TopicName;
  partition_key: string;
  subject: string | null;
  body: Buffer;
  traceparent: string;
  received_at: Date;
}

/** Sizes are summed before the bodies are read. What stands in the headers beside the columns named here fits into 600 bytes. */
const FETCH = `
  SELECT n.id, n.dedup_key, n.tenant, n.operation_id, n.event_type, n.related_entity, n.topic, n.partition_key, n.subject, n.body,
    n.traceparent, n.received_at
  FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) AS total, row_number() OVER (ORDER BY id) AS place
    FROM (
      SELECT id, 600 + length(body) + 2 * octet_length(dedup_key || partition_key)
        + octet_length(operation_id || event_type || related_entity) AS bytes
      FROM notifications
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL ORDER BY id LIMIT $1
    ) AS first
  ) AS sized
  JOIN notifications AS n USING (id)
  WHERE sized.total <= $2 OR sized.place = 1
  ORDER BY n.id`;

const BACKLOG = `
  SELECT (SELECT count(*)::float8 FROM (
      SELECT 1 FROM notifications WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL LIMIT 100000
    ) AS waiting) AS records,
    (SELECT count(*)::float8 FROM notifications WHERE parked_at IS NOT NULL) AS parked,
    (SELECT EXTRACT(EPOCH FROM statement_timestamp() - received_at)::float8 * 1000 FROM notifications
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL ORDER BY id LIMIT 1) AS "oldestMs"`;

/** The inbox as a relay's source: a notification is its own outbox row, marked when it is sent. Tested in notification-source.int.spec.ts. */
export class NotificationSource implements RelaySource {
  readonly name = 'notifications';
  readonly #app: string;

  /** `app` is the name in `ce_source`. */
  constructor(app: string) {
    this.#app = app;
  }

  async fetch(connection: PoolClient, limit: RelayLimit): Promise<RelayRow[]> {
    const { rows } = await connection.query<Row>(FETCH, [limit.records, limit.bytes]);
    return rows.map((row) => ({ id: row.id, ...this.#record(row) }));
  }

  async markSent(connection: PoolClient, ids: readonly string[]): Promise<void> {
    await connection.query('UPDATE notifications SET sent_at = now() WHERE id = ANY ($1::bigint[])', [ids]);
  }

  async park(connection: PoolClient, id: string, reason: string): Promise<void> {
    await connection.query('UPDATE notifications SET parked_at = now(), parked_reason = $2 WHERE id = $1', [
      id,
      reason,
    ]);
  }

  async backlog(db: Queryable): Promise<RelayBacklog> {
    const { rows } = await db.query<RelayBacklog & { [column: string]: unknown }>(BACKLOG);
    return rows[0]!;
  }

  /** The value is the envelope exactly as received; what we know of it stands in the headers (contract, "Headers"). */
  #record(row: Row) {
    return encodeRecord(
      {
        topic: row.topic,
        key: row.dedup_key,
        id: row.dedup_key,
        type: `platform.${row.event_type}`,
        ...(row.subject !== null && { subject: row.subject }),
        time: row.received_at.toISOString(),
        tenant: row.tenant,
        partitionKey: row.partition_key,
        traceparent: row.traceparent,
        extra: { [HEADER.operationId]: row.operation_id, [HEADER.relatedEntity]: row.related_entity },
        value: row.body,
      },
      this.#app,
    );
  }
}
