import type { Queryable } from './queryable.ts';

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
 * parameters: in an array parameter node-pg would write them as hexadecimal text, which is four times slower.
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
function tuple(types: readonly string[], index: number, before = 0): string {
  const first = before + index * types.length + 1;
  return `(${types.map((type, column) => (index === 0 ? `$${first + column}::${type}` : `$${first + column}`)).join(',')})`;
}

/** A column of an insert: its name, its PostgreSQL type, and the value of an item. */
export type Column<T> = readonly [name: string, type: string, valueOf: (item: T) => unknown];

/** Rows for one table, in their order. */
interface Insert {
  readonly into: string;
  readonly types: readonly string[];
  readonly rows: ReadonlyArray<readonly unknown[]>;
  readonly onConflict: string;
}

/** New rows of several tables, which one statement inserts together. */
export class NewRows {
  readonly #inserts: Insert[] = [];

  /**
   * Adds items of a table that has none yet.
   *
   * @param onConflict text behind the rows
   */
  add<T>(table: string, columns: readonly Column<T>[], items: readonly T[], onConflict = ''): void {
    if (items.length === 0) return;
    const into = `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})`;
    const types = columns.map(([, type]) => type);
    const rows = items.map((item) => columns.map(([, , valueOf]) => valueOf(item)));
    this.#inserts.push({ into, types, rows, onConflict });
  }

  /** Inserts the rows of each table in their order; too many for one statement in as few as `multiRow` allows. */
  async insert(db: Queryable): Promise<void> {
    const all = this.#inserts.splice(0);
    const size = all.reduce((sum, { types, rows }) => sum + types.length * rows.length, 0);
    if (size <= MAX_PARAMETERS) return insertTogether(db, all);
    for (const { into, types, rows, onConflict } of all) {
      for (const { tuples, values } of multiRow(rows, types, (row) => row))
        await db.query(`${into} VALUES ${tuples} ${onConflict}`, values);
    }
  }
}

async function insertTogether(db: Queryable, inserts: readonly Insert[]): Promise<void> {
  const values: unknown[] = [];
  const texts = inserts.map(({ into, types, rows, onConflict }) => {
    const tuples = rows.map((_, index) => tuple(types, index, values.length)).join(',');
    for (const row of rows) values.push(...row);
    return `${into} VALUES ${tuples} ${onConflict}`;
  });
  const last = texts.pop();
  if (last === undefined) return;
  const before = texts.map((text, index) => `others_${index} AS (${text})`).join(', ');
  await db.query(before === '' ? last : `WITH ${before} ${last}`, values);
}

/** Inserts items in their order, in as few statements as `multiRow` allows. */
export async function insertRows<T>(
  db: Queryable,
  table: string,
  columns: readonly Column<T>[],
  items: readonly T[],
  onConflict = '',
): Promise<void> {
  const rows = new NewRows();
  rows.add(table, columns, items, onConflict);
  await rows.insert(db);
}
