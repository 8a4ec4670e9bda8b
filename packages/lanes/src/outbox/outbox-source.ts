import type { PoolClient, QueryResultRow } from 'pg';

import type { TopicName } from '@gondola/shared/topics/topics';

import { copyRows, exceptTopics, idArray } from '../store/copy-rows.ts';
import type { Queryable } from '../store/queryable.ts';
import { headersFromText } from '@gondola/kafka/records/record-codec';
import type { RecentRecords } from './outbox.ts';
import type { ListedRow } from './recent-rows.ts';
import type { RelayBacklog, RelayRow, RelaySource, RelayStep } from './relay-source.ts';

/**
 * Sums the sizes before it reads the payloads, so that rows beyond the limit are not loaded from storage. One scan:
 * with the statistics of an empty outbox the planner would join each row by a scan of all waiting rows.
 */
const NEXT = ({ limit, underWay, without }: RelayStep) => `
  SELECT seq::text, topic, key, headers, value
  FROM (
    SELECT *, sum(bytes) OVER (ORDER BY seq) AS total, row_number() OVER (ORDER BY seq) AS place
    FROM (
      SELECT * FROM outbox WHERE parked_at IS NULL AND seq <> ALL (${idArray(underWay)}) ${exceptTopics(without)}
      ORDER BY seq LIMIT ${limit.records}
    ) AS first
  ) AS sized
  WHERE total <= ${limit.bytes} OR place = 1
  ORDER BY sized.seq`;

/** The next ones without their content. */
const LIST = ({ limit, underWay, without }: RelayStep) => `
  SELECT seq::text AS id, bytes, xmin::text AS version FROM outbox
  WHERE parked_at IS NULL AND seq <> ALL (${idArray(underWay)}) ${exceptTopics(without)}
  ORDER BY seq LIMIT ${limit.records}`;

const READ = (ids: readonly string[]) =>
  `SELECT seq::text, topic, key, headers, value FROM outbox WHERE seq = ANY (${idArray(ids)})`;

const DELETE = (ids: readonly string[]) => `DELETE FROM outbox WHERE seq = ANY (${idArray(ids)})`;

const TOPICS = `
  SELECT DISTINCT topic FROM (SELECT topic FROM outbox WHERE parked_at IS NULL ORDER BY seq LIMIT $1) AS first`;

/** The count stops at this number; the gauge then means "this many or more". */
const BACKLOG = `
  SELECT (SELECT count(*)::float8 FROM (SELECT 1 FROM outbox WHERE parked_at IS NULL LIMIT 100000) AS waiting) AS records,
    (SELECT count(*)::float8 FROM outbox WHERE parked_at IS NOT NULL) AS parked,
    (SELECT EXTRACT(EPOCH FROM statement_timestamp() - created_at)::float8 * 1000
      FROM outbox WHERE parked_at IS NULL ORDER BY seq LIMIT 1) AS "oldestMs"`;

/**
 * Reads the table that `Outbox` writes: strictly by sequence; sent rows are deleted. Records that this process stored a
 * moment ago are taken from `recent`. Tested in outbox.int.spec.ts.
 */
export class OutboxSource implements RelaySource {
  readonly name = 'outbox';
  readonly #recent: RecentRecords | null;

  constructor(recent: RecentRecords | null = null) {
    this.#recent = recent;
  }

  async advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]> {
    const before = step.acked.length > 0 ? `${DELETE(step.acked)};` : '';
    const recent = this.#recent;
    if (recent === null || recent.isEmpty) return readRows(connection, NEXT(step), before);
    const answers = await connection.query<ListedRow & QueryResultRow>(`${before} ${LIST(step)}`);
    const read = (ids: readonly string[]): Promise<RelayRow[]> => readRows(connection, READ(ids), '');
    return recent.next([answers].flat().at(-1)!.rows, step, (id, record) => ({ id, ...record }), read);
  }

  async waitingTopics(connection: PoolClient, count: number): Promise<TopicName[]> {
    const { rows } = await connection.query<{ topic: TopicName }>(TOPICS, [count]);
    return rows.map(({ topic }) => topic);
  }

  async markSent(connection: PoolClient, ids: readonly string[]): Promise<void> {
    await connection.query(DELETE(ids));
  }

  async park(connection: PoolClient, id: string, reason: string): Promise<void> {
    await connection.query('UPDATE outbox SET parked_at = now(), parked_reason = $2 WHERE seq = $1', [id, reason]);
  }

  async dropSuperseded(connection: PoolClient, topic: TopicName, keys: readonly Buffer[]): Promise<void> {
    const text = 'DELETE FROM outbox WHERE parked_at IS NOT NULL AND topic = $1 AND key = ANY ($2::bytea[])';
    await connection.query(text, [topic, keys]);
  }

  async backlog(db: Queryable): Promise<RelayBacklog> {
    const { rows } = await db.query<RelayBacklog & { [column: string]: unknown }>(BACKLOG);
    return rows[0]!;
  }
}

async function readRows(connection: PoolClient, select: string, before: string): Promise<RelayRow[]> {
  const rows = await copyRows(connection, select, before);
  return rows.map(([seq, topic, key = null, headers, value = null]) => ({
    id: String(seq),
    topic: String(topic) as TopicName,
    key,
    headers: headersFromText(String(headers)),
    value,
  }));
}
