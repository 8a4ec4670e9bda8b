import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

/** One call to the platform's routes, as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string | null;
  /** Null when the call was left without an answer. */
  readonly status: number | null;
  readonly body: Buffer;
}

export interface LoggedRequest extends ReceivedRequest {
  readonly seq: number;
  readonly at: Date;
}

const KEPT_REQUESTS = 5_000;
const KEPT_BYTES = 256 * 1_048_576;
/** The bytes are counted at every so many calls. */
const COUNTED_EVERY = 100;

/** The log of calls. The newest 5,000 are kept, and fewer where their bodies would be more than about 256 MiB. */
@Injectable()
export class RequestsRepository {
  async add(db: Queryable, { method, path, query, status, body }: ReceivedRequest): Promise<void> {
    const { rows } = await db.query<{ seq: number }>(
      `WITH added AS (
         INSERT INTO requests (method, path, query, status, body) VALUES ($1, $2, $3, $4, $5) RETURNING seq
       ), forgotten AS (
         DELETE FROM requests WHERE seq <= (SELECT seq FROM added) - $6
       )
       SELECT seq::float8 AS seq FROM added`,
      [method, storable(path), query === null ? null : storable(query), status, body, KEPT_REQUESTS],
    );
    if ((rows[0]?.seq ?? 0) % COUNTED_EVERY === 0) await this.forgetBeyond(db, KEPT_BYTES);
  }

  /** Keeps the newest calls whose bodies together have no more bytes than these. */
  async forgetBeyond(db: Queryable, bytes: number): Promise<void> {
    await db.query(
      `DELETE FROM requests WHERE seq <= (
         SELECT max(seq) FROM (
           SELECT seq, sum(octet_length(body)) OVER (ORDER BY seq DESC) AS total FROM requests
         ) AS newest WHERE total > $1
       )`,
      [bytes],
    );
  }

  async after(db: Queryable, seq: number, limit: number): Promise<LoggedRequest[]> {
    const { rows } = await db.query<LoggedRequest>(
      `SELECT seq::float8 AS seq, at, method, path, query, status, body FROM requests WHERE seq > $1 ORDER BY seq LIMIT $2`,
      [seq, limit],
    );
    return rows;
  }
}
