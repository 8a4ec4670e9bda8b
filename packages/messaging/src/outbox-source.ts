import type { PoolClient } from 'pg';

import type { TopicName } from '@gondola/shared/topics';

import type { Queryable } from './queryable.ts';
import { headersFromText } from './record-codec.ts';
import type { RelayBacklog, RelayLimit, RelayRow, RelaySource } from './relay-source.ts';

interface OutboxRow {
  seq: string;
  topic: TopicName;
  key: Buffer | null;
  headers: string;
  value: Buffer | null;
}

/** Sizes are summed before the payloads are read, so that what does not fit is not brought up from storage. */
const FETCH = `
  SELECT o.seq, o.topic, o.key, o.headers, o.value
  FROM (
    SELECT seq, sum(bytes) OVER (ORDER BY seq) AS total, row_number() OVER (ORDER BY seq) AS place
    FROM (SELECT seq, bytes FROM outbox WHERE parked_at IS NULL ORDER BY seq LIMIT $1) AS first
  ) AS sized
  JOIN outbox AS o USING (seq)
  WHERE sized.total <= $2 OR sized.place = 1
  ORDER BY o.seq`;

/** Counting stops here: beyond it, the gauge says "very many". */
const BACKLOG = `
  SELECT (SELECT count(*)::float8 FROM (SELECT 1 FROM outbox WHERE parked_at IS NULL LIMIT 100000) AS waiting) AS records,
    (SELECT count(*)::float8 FROM outbox WHERE parked_at IS NOT NULL) AS parked,
    (SELECT EXTRACT(EPOCH FROM statement_timestamp() - created_at)::float8 * 1000
      FROM outbox WHERE parked_at IS NULL ORDER BY seq LIMIT 1) AS "oldestMs"`;

/** The table that `Outbox` writes: strictly by sequence, deleted when sent. */
export class OutboxSource implements RelaySource {
  readonly name = 'outbox';

  async fetch(connection: PoolClient, limit: RelayLimit): Promise<RelayRow[]> {
    const { rows } = await connection.query<OutboxRow>(FETCH, [limit.records, limit.bytes]);
    return rows.map(({ seq, topic, key, headers, value }) => ({
      id: seq,
      topic,
      key,
      headers: headersFromText(headers),
      value,
    }));
  }

  async markSent(connection: PoolClient, ids: readonly string[]): Promise<void> {
    await connection.query('DELETE FROM outbox WHERE seq = ANY ($1::bigint[])', [ids]);
  }

  async park(connection: PoolClient, id: string, reason: string): Promise<void> {
    await connection.query('UPDATE outbox SET parked_at = now(), parked_reason = $2 WHERE seq = $1', [id, reason]);
  }

  async backlog(db: Queryable): Promise<RelayBacklog> {
    const { rows } = await db.query<RelayBacklog & { [column: string]: unknown }>(BACKLOG);
    return rows[0]!;
  }
}
