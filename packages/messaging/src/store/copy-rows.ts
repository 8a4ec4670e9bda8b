import { type PoolClient, Query } from 'pg';

/** Signature (11 bytes), flags (4), and the length of a header extension (4) that follows. */
const HEADER_BYTES = 19;
const EXTENSION_LENGTH_AT = 15;

/**
 * A query that receives the data of a COPY, which pg's own queries do not. `pg-copy-streams` accepts no statement
 * in front of the COPY (ADR 0011).
 */
class CopyQuery extends Query {
  readonly chunks: Buffer[] = [];

  /** Copies the bytes: they are a view of a buffer that the driver reuses. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk));
  }
}

/**
 * Rows of `select`, each value as the bytes that PostgreSQL's `COPY … (FORMAT binary)` sends: UTF-8 for `text`, the
 * bytes for `bytea`, null for null; the query casts other types to text. The driver's usual protocol transfers
 * `bytea` as hexadecimal text, which takes server, connection and this thread together three times as long for rows
 * of 6 kB. `before` contains statements that run first, in the same transaction and round trip. Neither accepts
 * parameters: the texts are complete. Throws the driver's error, including a read time-out.
 */
export async function copyRows(connection: PoolClient, select: string, before = ''): Promise<(Buffer | null)[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const text = `${before} COPY (${select}) TO STDOUT (FORMAT binary)`;
  const query = new CopyQuery(text, (error: Error | null | undefined) => (error ? reject(error) : resolve()));
  connection.query(query);
  await promise;
  return parseRows(Buffer.concat(query.chunks));
}

/** `ARRAY[1,2,3]::bigint[]` of ids from PostgreSQL, for a statement without parameters. */
export function idArray(ids: readonly string[]): string {
  return `ARRAY[${ids.map((id) => BigInt(id).toString()).join(',')}]::bigint[]`;
}

/**
 * Parses the format of PostgreSQL's documentation of COPY, "Binary Format": per row the number of values, each
 * after its length, -1 for null; -1 at the end.
 */
function parseRows(bytes: Buffer): (Buffer | null)[][] {
  const rows: (Buffer | null)[][] = [];
  let at = HEADER_BYTES + bytes.readInt32BE(EXTENSION_LENGTH_AT);
  for (let count = bytes.readInt16BE(at); count >= 0; count = bytes.readInt16BE(at)) {
    at += 2;
    const row: (Buffer | null)[] = [];
    for (let index = 0; index < count; index += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(length < 0 ? null : bytes.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    rows.push(row);
  }
  return rows;
}
