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

/** The log of calls. The newest 5,000 are kept. */
@Injectable()
export class RequestsRepository {
  async add(db: Queryable, { method, path, query, status, body }: ReceivedRequest): Promise<void> {
    await db.query(
      `WITH added AS (
         INSERT INTO requests (method, path, query, status, body) VALUES ($1, $2, $3, $4, $5) RETURNING seq
       )
       DELETE FROM requests WHERE seq <= (SELECT seq FROM added) - $6`,
      [method, storable(path), query === null ? null : storable(query), status, body, KEPT_REQUESTS],
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
