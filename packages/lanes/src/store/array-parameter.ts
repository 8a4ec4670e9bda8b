/** PostgreSQL's object ids of the element types. */
const ELEMENT_TYPES = { text: 25, bytea: 17 } as const;

/** Dimensions, whether there are nulls, element type, length, lower bound: four bytes each. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
/** Stands in place of a length. */
const NULL_LENGTH = -1;
/** Maximum size of a UTF-16 unit in UTF-8. */
const MOST_BYTES_OF_UNIT = 3;
const DIMENSIONS = 1;
const LOWER_BOUND = 1;

/**
 * An array as one parameter, `$1::text[]` or `$1::bytea[]`, in PostgreSQL's binary form, which node-pg sends
 * unchanged. node-pg itself writes arrays as text, with `bytea` in hexadecimal. A VALUES list with a parameter per
 * value would be a different statement for each number of rows, which PostgreSQL parses and plans each time. The
 * array lies in `place` until `place` is used again.
 */
export function arrayParameter(
  type: keyof typeof ELEMENT_TYPES,
  values: readonly (string | Uint8Array | null)[],
  place: ReusedPlace,
): Buffer {
  let most = HEADER_BYTES;
  for (const value of values) most += LENGTH_BYTES + mostBytesOf(value);
  const array = place.of(most);
  let at = 0;
  for (const field of [DIMENSIONS, Number(values.includes(null)), ELEMENT_TYPES[type], values.length, LOWER_BOUND]) {
    at = array.writeInt32BE(field, at);
  }
  for (const value of values) {
    const start = at + LENGTH_BYTES;
    const bytes = value === null ? 0 : writeValue(array, value, start);
    array.writeInt32BE(value === null ? NULL_LENGTH : bytes, at);
    at = start + bytes;
  }
  return array.subarray(0, at);
}

/** A column of rows, in their order. */
export interface ArrayColumn {
  readonly type: keyof typeof ELEMENT_TYPES;
  readonly values: readonly (string | Uint8Array | null)[];
}

/** Places of statements that are over, each with one for each of its parameters. */
const IDLE: ReusedPlace[][] = [];
/** Larger places are left to the garbage collection. */
const MOST_IDLE_BYTES = 8_388_608;

/** Runs a statement with a parameter for each column; their memory is reused when it is over. */
export async function withArrays<T>(
  columns: readonly ArrayColumn[],
  run: (arrays: Buffer[]) => Promise<T>,
): Promise<T> {
  const places = IDLE.pop() ?? [];
  const arrays = columns.map(({ type, values }, index) =>
    arrayParameter(type, values, (places[index] ??= new ReusedPlace())),
  );
  const result = await run(arrays);
  // The driver may still use the buffers of a failed statement, so only those of successful ones are reused.
  if (places.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_IDLE_BYTES) IDLE.push(places);
  return result;
}

/** An upper limit: computing a text's exact size would take as long as writing it. */
function mostBytesOf(value: string | Uint8Array | null): number {
  if (value === null) return 0;
  return typeof value === 'string' ? value.length * MOST_BYTES_OF_UNIT : value.byteLength;
}

function writeValue(array: Buffer, value: string | Uint8Array, at: number): number {
  if (typeof value === 'string') return array.write(value, at);
  array.set(value, at);
  return value.byteLength;
}

/**
 * Memory that is reused, by one user at a time. Large arrays allocated many times a second would trigger as many
 * garbage collections, each of which walks the whole heap. Holds up to twice the largest size requested.
 */
export class ReusedPlace {
  #buffer = Buffer.alloc(0);

  get bytes(): number {
    return this.#buffer.byteLength;
  }

  /** `bytes` bytes of memory, not cleared. */
  of(bytes: number): Buffer {
    const had = this.#buffer.byteLength;
    if (had < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * had));
    return this.#buffer.subarray(0, bytes);
  }
}
