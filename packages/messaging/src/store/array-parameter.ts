/** PostgreSQL's object ids of the element types. */
const ELEMENT_TYPES = { text: 25, bytea: 17 } as const;

/** Dimensions, whether there are nulls, element type, length, lower bound: four bytes each. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
/** In place of a length. */
const NULL_LENGTH = -1;
/** A UTF-16 unit in UTF-8. */
const MOST_BYTES_OF_UNIT = 3;
const DIMENSIONS = 1;
const LOWER_BOUND = 1;

/**
 * One parameter that is an array, `$1::text[]` or `$1::bytea[]`, in PostgreSQL's binary form, which node-pg sends as it
 * is. Node-pg's own arrays are text, `bytea` among it in hexadecimal; and a VALUES list with a parameter for each value
 * is another statement for each number of rows, which PostgreSQL reads and plans each time. It is in `place` until that
 * is used again.
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

/** Asking each text for its bytes would take as long as writing it does. */
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
 * A place that is used again and again, by one at a time. Large arrays made many times a second would be collected as
 * often, and each collection of them walks through the whole heap. It holds up to twice the largest it gave.
 */
export class ReusedPlace {
  #buffer = Buffer.alloc(0);

  /** `bytes` bytes of memory, not cleared. */
  of(bytes: number): Buffer {
    const had = this.#buffer.byteLength;
    if (had < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * had));
    return this.#buffer.subarray(0, bytes);
  }
}
