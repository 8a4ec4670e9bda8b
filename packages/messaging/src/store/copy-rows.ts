import { type PoolClient, Query } from 'pg';

/** Signature (11 bytes), flags (4), and the length of a header extension (4) that follows. */
const HEADER_BYTES = 19;
const EXTENSION_LENGTH_AT = 15;

/**
 * pg hands on what a COPY sends to a query that wants it; its own do not. `pg-copy-streams` takes no statement in front
 * of the COPY (ADR 0011).
 */
class CopyQuery extends Query {
  readonly chunks: Buffer[] = [];

  /** The bytes are a view of a buffer that the driver uses again for what comes next. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk));
  }
}

/**
 * The rows of `select`, each value as the bytes that PostgreSQL's `COPY … (FORMAT binary)` sends: of `text` its UTF-8,
 * of `bytea` the bytes, null as null; other types are cast to text by the query. The driver's ordinary way has `bytea`
 * travel as hexadecimal text, which takes the server, the connection and this thread together three times as long for
 * rows of 6 kB. `before` are statements that run first, in the same transaction and round trip. Nothing of this takes
 * parameters: the texts are complete. Throws the driver's error, a read time-out included.
 */
export async function copyRows(connection: PoolClient, select: string, before = ''): Promise<(Buffer | null)[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const text = `${before} COPY (${select}) TO STDOUT (FORMAT binary)`;
  const query = new CopyQuery(text, (error: Error | null | undefined) => (error ? reject(error) : resolve()));
  connection.query(query);
  await promise;
  return parseRows(Buffer.concat(query.chunks));
}

/** `ARRAY[1,2,3]::bigint[]` of ids as PostgreSQL gave them, for a statement that takes no parameters. */
export function idArray(ids: readonly string[]): string {
  return `ARRAY[${ids.map((id) => BigInt(id).toString()).join(',')}]::bigint[]`;
}

/**
 * PostgreSQL's documentation of COPY, "Binary Format": per row the number of values, each after its length, -1 for
 * null; -1 at the end.
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
