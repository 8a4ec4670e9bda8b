/** PostgreSQL's object ids of the element types. */
const ELEMENT_TYPES = { text: 25, bytea: 17 } as const;

/** Dimensions, whether there are nulls, element type, length, lower bound: four bytes each. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * One parameter that is an array, `$1::text[]` or `$1::bytea[]`, in PostgreSQL's binary form, which node-pg sends as it is. Node-pg's own arrays are
 * text, `bytea` among it in hexadecimal; and a VALUES list with a parameter for each value is another statement for each number of rows, which
 * PostgreSQL reads and plans each time.
 */
export function arrayParameter(
  type: keyof typeof ELEMENT_TYPES,
  values: readonly (string | Uint8Array | null)[],
): Buffer {
  const elements = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const bytes = elements.reduce((sum, element) => sum + LENGTH_BYTES + (element?.byteLength ?? 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  const dimensions = 1;
  const lowerBound = 1;
  let at = 0;
  for (const field of [dimensions, Number(values.includes(null)), ELEMENT_TYPES[type], values.length, lowerBound]) {
    at = array.writeInt32BE(field, at);
  }
  for (const element of elements) {
    at = array.writeInt32BE(element?.byteLength ?? -1, at);
    if (element === null) continue;
    array.set(element, at);
    at += element.byteLength;
  }
  return array;
}
