import type { Database } from '@gondola/service-kit/database/database';
import { storable } from '../values/storable-text.ts';
import type { RequestEntity } from './request.entity.ts';

export type ReceivedRequest = Omit<RequestEntity, 'seq' | 'at'>;

const MOST_REQUESTS = 5_000;
const MOST_BYTES = 256 * 1_048_576;
/** Number of calls between two counts of the bytes. */
const COUNTED_EVERY = 100;

/**
 * Adds to the log of calls and removes old calls in the same statement. The newest 5,000 remain, or fewer if their
 * bodies exceed about 256 MiB.
 */
export async function addRequest(
  database: Database,
  { method, path, query, status, body }: ReceivedRequest,
): Promise<void> {
  const { rows } = await database.query<{ seq: number }>(
    `WITH added AS (
       INSERT INTO requests (method, path, query, status, body) VALUES ($1, $2, $3, $4, $5) RETURNING seq
     ), forgotten AS (
       DELETE FROM requests WHERE seq <= (SELECT seq FROM added) - $6
     )
     SELECT seq::float8 AS seq FROM added`,
    [method, storable(path), query === null ? null : storable(query), status, body, MOST_REQUESTS],
  );
  if ((rows[0]?.seq ?? 0) % COUNTED_EVERY === 0) await removeRequestsBeyond(database, MOST_BYTES);
}

/** Deletes all but the newest calls whose bodies together fit into `bytes`. */
export async function removeRequestsBeyond(database: Database, bytes: number): Promise<void> {
  await database.query(
    `DELETE FROM requests WHERE seq <= (
       SELECT max(seq) FROM (
         SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq DESC) AS total FROM requests
       ) AS newest WHERE total > $1
     )`,
    [bytes],
  );
}
