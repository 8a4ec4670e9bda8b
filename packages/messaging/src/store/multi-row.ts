/** The wire protocol counts parameters in 16 bits; half of that also limits the length of a statement. */
const MAX_PARAMETERS = 32_000;

export interface RowChunk<T> {
  readonly items: readonly T[];
  /** `($1::text,$2::bytea),($3,$4)`: the text after VALUES. */
  readonly tuples: string;
  readonly values: unknown[];
}

/**
 * Divides `items` into multi-row VALUES lists of at most 32,000 parameters, in their order. Buffers stay plain
 * parameters: in an array of its own node-pg would write them as hexadecimal text, which is four times slower. New rows
 * of hot tables are arrays (`new-rows.ts`).
 *
 * `types` are the PostgreSQL types of a row's values, such as `['text', 'bytea']`; `row` returns an item's values
 * in that order.
 */
export function* multiRow<T>(
  items: readonly T[],
  types: readonly string[],
  row: (item: T) => readonly unknown[],
): Generator<RowChunk<T>> {
  const rowsPerChunk = Math.floor(MAX_PARAMETERS / types.length);
  for (let start = 0; start < items.length; start += rowsPerChunk) {
    const chunk = items.slice(start, start + rowsPerChunk);
    yield {
      items: chunk,
      tuples: chunk.map((_, index) => tuple(types, index)).join(','),
      values: chunk.flatMap((item) => row(item)),
    };
  }
}

/** Only the first row has types; PostgreSQL applies them to the others. */
function tuple(types: readonly string[], index: number): string {
  const first = index * types.length + 1;
  return `(${types.map((type, column) => (index === 0 ? `$${first + column}::${type}` : `$${first + column}`)).join(',')})`;
}
