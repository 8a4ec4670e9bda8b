import type { PoolClient } from 'pg';
import { copyRows, exceptTopics, idArray } from '@gondola/lanes/store/copy-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { encodeRecord, HEADER, type WireRecord } from '@gondola/kafka/records/record-codec';
import type { ListedRow } from '@gondola/lanes/outbox/recent-rows';
import type { RelayBacklog, RelayRow, RelaySource, RelayStep } from '@gondola/lanes/outbox/relay-source';
import { redactNotification } from '@gondola/shared/orders/redact-order';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { NewNotification, Notification } from '../notifications/read-notification.ts';
import type { RecentNotifications } from './recent-notifications.ts';

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

/** Headers need at most 600 bytes beyond the columns named here. */
const BYTES = `600 + length(body) + 2 * octet_length(dedup_key || partition_key)
        + octet_length(operation_id || event_type || related_entity)`;

const WAITING = ({ limit, underWay, without }: RelayStep) => `
      FROM notifications AS n
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL AND id <> ALL (${idArray(underWay)})
        ${exceptTopics(without)}
      ORDER BY n.id LIMIT ${limit.records}`;

/** Sums the sizes before the bodies are read, in one scan, as the outbox does. */
const NEXT = (step: RelayStep) => `
  SELECT ${Object.values(COLUMNS).join(', ')}
  FROM (
    SELECT *, sum(${BYTES}) OVER (ORDER BY id) AS total, row_number() OVER (ORDER BY id) AS place
    FROM (
      SELECT * ${WAITING(step)}
    ) AS first
  ) AS n
  WHERE total <= ${step.limit.bytes} OR place = 1
  ORDER BY n.id`;

/** The next ones without their content. The version of one whose order is erased is null, so it is read. */
const LIST = (step: RelayStep) => `
  SELECT n.id::text, ${BYTES} AS bytes, CASE WHEN ${COLUMNS.erased} IS NULL THEN xmin::text END AS version ${WAITING(step)}`;

const READ = (ids: readonly string[]) => `
  SELECT ${Object.values(COLUMNS).join(', ')} FROM notifications AS n WHERE id = ANY (${idArray(ids)})`;

/**
 * Tried: a mark that changes no index (PostgreSQL's HOT update, with room left in each page), 9 µs in place of 52, and
 * 2.2 kB of WAL for a notification in place of 4.4. For that the index of unsent notifications has to go, and a
 * position, bounded by the oldest running transaction, has to say where the next ones begin. But a relay of the version
 * before, after a roll-back, would read the whole table at each look; and with a position in place of the marks it
 * would send everything again. Both need two releases, the first of which writes both.
 */
const MARK = (ids: readonly string[]) => `UPDATE notifications SET sent_at = now() WHERE id = ANY (${idArray(ids)})`;

const TOPICS = `
  SELECT DISTINCT topic FROM (
    SELECT topic FROM notifications WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL
    ORDER BY id LIMIT $1
  ) AS first`;

const BACKLOG = `
  SELECT (SELECT count(*)::float8 FROM (
      SELECT 1 FROM notifications WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL LIMIT 100000
    ) AS waiting) AS records,
    (SELECT count(*)::float8 FROM notifications WHERE parked_at IS NOT NULL AND body IS NOT NULL) AS parked,
    (SELECT EXTRACT(EPOCH FROM statement_timestamp() - received_at)::float8 * 1000 FROM notifications
      WHERE topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL ORDER BY id LIMIT 1) AS "oldestMs"`;

/**
 * The inbox as a relay's source: a notification is its own outbox row, marked when it is published. Those that this
 * process stored a moment ago are taken from `recent`. Tested in notification-source.repository.int.spec.ts.
 */
export class NotificationSource implements RelaySource {
  readonly name = 'notifications';
  readonly #app: string;
  readonly #recent: RecentNotifications | null;

  /** @param app name in `ce_source` */
  constructor(app: string, recent: RecentNotifications | null = null) {
    this.#app = app;
    this.#recent = recent;
  }

  async advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]> {
    const mark = step.acked.length > 0 ? `${MARK(step.acked)};` : '';
    const recent = this.#recent;
    if (recent === null || recent.isEmpty) return this.#read(connection, NEXT(step), mark);
    const answers = await connection.query<ListedRow & { [column: string]: unknown }>(`${mark} ${LIST(step)}`);
    const read = (ids: readonly string[]): Promise<RelayRow[]> => this.#read(connection, READ(ids), '');
    return recent.next([answers].flat().at(-1)!.rows, step, (id, row) => this.#recentRow(id, row), read);
  }

  async waitingTopics(connection: PoolClient, count: number): Promise<TopicName[]> {
    const { rows } = await connection.query<{ topic: TopicName }>(TOPICS, [count]);
    return rows.map(({ topic }) => topic);
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

  async #read(connection: PoolClient, select: string, before: string): Promise<RelayRow[]> {
    const rows = await copyRows(connection, select, before);
    const names = Object.keys(COLUMNS);
    return rows.map((values) => this.#relayRow(Object.fromEntries(names.map((name, at) => [name, values[at]])) as Row));
  }

  #recentRow(id: string, { received, ...notification }: NewNotification): RelayRow {
    const { tenant, traceparent, receivedAt, body } = received;
    return { id, ...this.#record(notification, { tenant, traceparent, time: receivedAt.toISOString() }, body) };
  }

  #relayRow(row: Row): RelayRow {
    const text = (column: keyof Row): string => String(row[column]);
    const notification = {
      dedupKey: text('dedupKey'),
      operationId: text('operationId'),
      eventType: text('eventType'),
      relatedEntity: text('relatedEntity'),
      topic: text('topic') as TopicName,
      partitionKey: text('partitionKey'),
      subject: row.subject === null ? null : text('subject'),
    };
    const value = row.erased === null || row.body === null ? row.body : redactNotification(row.body);
    const received = { tenant: text('tenant'), traceparent: text('traceparent'), time: text('time') };
    return { id: text('id'), ...this.#record(notification, received, value) };
  }

  /**
   * The value is the envelope exactly as received, of an erased order without personal data; Gondola's own information
   * is in the headers (contract, "Headers on what Gondola writes").
   */
  #record(
    { dedupKey, operationId, eventType, relatedEntity, topic, partitionKey, subject }: Notification,
    received: { readonly tenant: string; readonly traceparent: string; readonly time: string },
    value: Buffer | null,
  ): WireRecord {
    return encodeRecord(
      {
        ...received,
        topic: topic!,
        key: dedupKey,
        id: dedupKey,
        type: `platform.${eventType}`,
        ...(subject !== null && { subject }),
        partitionKey,
        extra: { [HEADER.operationId]: operationId, [HEADER.relatedEntity]: relatedEntity },
        value,
      },
      this.#app,
    );
  }
}
