import type { PoolClient } from 'pg';
import { copyRows, idArray } from '@gondola/messaging/store/copy-rows';
import type { Queryable } from '@gondola/messaging/store/queryable';
import { encodeRecord, HEADER } from '@gondola/messaging/codec/record-codec';
import type { RelayBacklog, RelayRow, RelaySource, RelayStep } from '@gondola/messaging/outbox/relay-source';
import { redactNotification } from '@gondola/shared/orders/redact-order';
import type { TopicName } from '@gondola/shared/topics/topics';

/** Column of each field of a row; the time is text in JavaScript's ISO form. */
const COLUMNS = {
  id: 'n.id::text',
  dedupKey: 'n.dedup_key',
  tenant: 'n.tenant',
  operationId: 'n.operation_id',
  eventType: 'n.event_type',
  relatedEntity: 'n.related_entity',
  topic: 'n.topic',
  partitionKey: 'n.partition_key',
  subject: 'n.subject',
  traceparent: 'n.traceparent',
  time: `to_char(n.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  body: 'n.body',
  erased: `CASE WHEN EXISTS (SELECT 1 FROM erasures AS e WHERE e.partition_key = n.partition_key) THEN 'erased' END`,
};

type Row = Record<keyof typeof COLUMNS, Buffer | null>;

/** Sums the sizes before the bodies are read. Headers need at most 600 bytes beyond the columns named here. */
const NEXT = ({ limit, underWay }: RelayStep) => `
  SELECT ${Object.values(COLUMNS).join(', ')}
  FROM (
    SELECT id, sum(bytes) OVER (ORDER BY id) AS total, row_number() OVER (ORDER BY id) AS place
    FROM (
      SELECT id, 600 + length(body) + 2 * octet_length(dedup_key || partition_key)
        + octet_length(operation_id || event_type || related_entity) AS bytes
      FROM notifications
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL AND id <> ALL (${idArray(underWay)})
      ORDER BY id LIMIT ${limit.records}
    ) AS first
  ) AS sized
  JOIN notifications AS n USING (id)
  WHERE sized.total <= ${limit.bytes} OR sized.place = 1
  ORDER BY n.id`;

const MARK = (ids: readonly string[]) => `UPDATE notifications SET sent_at = now() WHERE id = ANY (${idArray(ids)})`;

const BACKLOG = `
  SELECT (SELECT count(*)::float8 FROM (
      SELECT 1 FROM notifications WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL LIMIT 100000
    ) AS waiting) AS records,
    (SELECT count(*)::float8 FROM notifications WHERE parked_at IS NOT NULL) AS parked,
    (SELECT EXTRACT(EPOCH FROM statement_timestamp() - received_at)::float8 * 1000 FROM notifications
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL ORDER BY id LIMIT 1) AS "oldestMs"`;

/**
 * The inbox as a relay's source: a notification is its own outbox row, marked when it is published. Tested in
 * notification-source.repository.int.spec.ts.
 */
export class NotificationSource implements RelaySource {
  readonly name = 'notifications';
  readonly #app: string;

  /** @param app name in `ce_source` */
  constructor(app: string) {
    this.#app = app;
  }

  async advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]> {
    const rows = await copyRows(connection, NEXT(step), step.acked.length > 0 ? `${MARK(step.acked)};` : '');
    const names = Object.keys(COLUMNS);
    return rows.map((values) => this.#relayRow(Object.fromEntries(names.map((name, at) => [name, values[at]])) as Row));
  }

  async markSent(connection: PoolClient, ids: readonly string[]): Promise<void> {
    await connection.query(MARK(ids));
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

  /**
   * The value is the envelope exactly as received, of an erased order without personal data; Gondola's own information
   * is in the headers (contract, "Headers on what Gondola writes").
   */
  #relayRow(row: Row): RelayRow {
    const dedupKey = String(row.dedupKey);
    const record = encodeRecord(
      {
        topic: String(row.topic) as TopicName,
        key: row.dedupKey,
        id: dedupKey,
        type: `platform.${String(row.eventType)}`,
        ...(row.subject !== null && { subject: String(row.subject) }),
        time: String(row.time),
        tenant: String(row.tenant),
        partitionKey: String(row.partitionKey),
        traceparent: String(row.traceparent),
        extra: { [HEADER.operationId]: String(row.operationId), [HEADER.relatedEntity]: String(row.relatedEntity) },
        value: row.erased === null || row.body === null ? row.body : redactNotification(row.body),
      },
      this.#app,
    );
    return { id: String(row.id), ...record };
  }
}
