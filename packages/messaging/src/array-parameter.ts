/** PostgreSQL's object ids of the element types. */
const ELEMENT_TYPES = { text: 25, bytea: 17 } as const;

/** Dimensions, whether there are nulls, element type, length, lower bound: four bytes each. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const DIMENSIONS = 1;
const LOWER_BOUND = 1;

/**
 * One parameter that is an array, `$1::text[]` or `$1::bytea[]`, in PostgreSQL's binary form, which node-pg sends as it is. Node-pg's own arrays are
 * text, `bytea` among it in hexadecimal; and a VALUES list with a parameter for each value is another statement for each number of rows, which
 * PostgreSQL reads and plans each time. `place` gives so many bytes to write it to; by default they are new ones.
 */
export function arrayParameter(
  type: keyof typeof ELEMENT_TYPES,
  values: readonly (string | Uint8Array | null)[],
  place = (bytes: number): Buffer => Buffer.allocUnsafe(bytes),
): Buffer {
  const lengths = values.map(lengthOf);
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), HEADER_BYTES);
  const array = place(bytes);
  let at = 0;
  for (const field of [DIMENSIONS, Number(values.includes(null)), ELEMENT_TYPES[type], values.length, LOWER_BOUND]) {
    at = array.writeInt32BE(field, at);
  }
  values.forEach((value, index) => {
    const length = lengths[index]!;
    at = array.writeInt32BE(length, at);
    if (value === null) return;
    if (typeof value === 'string') array.write(value, at);
    else array.set(value, at);
    at += length;
  });
  return array;
}

/** As PostgreSQL wants it: below zero for null. */
function lengthOf(value: string | Uint8Array | null): number {
  if (value === null) return -1;
  return typeof value === 'string' ? Buffer.byteLength(value) : value.byteLength;
}

/**
 * A place that is used again and again, by one at a time. Large arrays made many times a second would be collected as often, and each collection
 * of them walks through the whole heap. It keeps up to twice the largest it gave.
 */
export class ReusedPlace {
  #buffer = Buffer.alloc(0);

  /** Memory of so many bytes, whatever was written there before. */
  of(bytes: number): Buffer {
    const had = this.#buffer.byteLength;
    if (had < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * had));
    return this.#buffer.subarray(0, bytes);
  }
}
