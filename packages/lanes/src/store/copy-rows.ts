import { type PoolClient, Query } from 'pg';

/** Signature (11 bytes), flags (4), and the length of a header extension (4) that follows. */
const HEADER_BYTES = 19;
const EXTENSION_LENGTH_AT = 15;

const FIRST_SLAB_BYTES = 16_384;

/**
 * A query that receives the rows of a COPY, which pg's own queries do not. `pg-copy-streams` accepts no statement
 * in front of the COPY (ADR 0011).
 */
class CopyQuery extends Query {
  readonly copied: (Buffer | null)[][] = [];
  #isFirst = true;
  #slab = Buffer.alloc(0);
  #used = 0;

  /** PostgreSQL sends a message for each row, with the header in front of the first, and one for the end. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const bytes = this.#copyOf(chunk);
    const start = this.#isFirst ? HEADER_BYTES + bytes.readInt32BE(EXTENSION_LENGTH_AT) : 0;
    this.#isFirst = false;
    const row = rowAt(bytes, start);
    if (row !== null) this.copied.push(row);
  }

  /** Copies bytes, which are a view of a buffer that the driver reuses, into one of few and ever larger slabs. */
  #copyOf(chunk: Buffer): Buffer {
    if (chunk.length > this.#slab.length - this.#used) {
      this.#slab = Buffer.allocUnsafeSlow(Math.max(chunk.length, 2 * this.#slab.length, FIRST_SLAB_BYTES));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += chunk.copy(this.#slab, start);
    return this.#slab.subarray(start, this.#used);
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
  return query.copied;
}

/** `ARRAY[1,2,3]::bigint[]` of ids from PostgreSQL, for a statement without parameters. */
export function idArray(ids: readonly string[]): string {
  return `ARRAY[${ids.map((id) => BigInt(id).toString()).join(',')}]::bigint[]`;
}

/** Condition that leaves out the rows of topics, for a statement without parameters; nothing without topics. */
export function exceptTopics(topics: readonly string[] = []): string {
  if (topics.length === 0) return '';
  return `AND topic <> ALL (ARRAY[${topics.map((topic) => `'${topic.replaceAll("'", "''")}'`).join(',')}])`;
}

/**
 * Parses a row of the format of PostgreSQL's documentation of COPY, "Binary Format": the number of values, each after
 * its length, -1 for null. Null for the end, which is -1.
 */
function rowAt(bytes: Buffer, start: number): (Buffer | null)[] | null {
  const count = bytes.readInt16BE(start);
  if (count < 0) return null;
  const row: (Buffer | null)[] = [];
  for (let at = start + 2; row.length < count;) {
    const length = bytes.readInt32BE(at);
    at += 4;
    row.push(length < 0 ? null : bytes.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return row;
}
