import { hash } from 'node:crypto';
import type { QueryResultRow } from 'pg';

import { type ArrayColumn, withArrays } from './array-parameter.ts';
import type { Queryable } from './queryable.ts';

type Value = string | number | boolean | Date | Uint8Array | readonly string[] | null;

/** A column of an insert: its name, its PostgreSQL type, and the value of an item. */
export type Column<T> = readonly [name: string, type: string, valueOf: (item: T) => Value];

/** Rows for one table, in their order. */
interface Insert {
  /** The statement, whose parameters begin at a number. */
  readonly text: (first: number) => string;
  readonly arrays: readonly ArrayColumn[];
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
    const names = columns.map(([name]) => name).join(', ');
    const text = (first: number): string =>
      `INSERT INTO ${table} (${names}) ${selectRows(columns, first)} ${onConflict}`;
    this.#inserts.push({ text, arrays: arraysOf(columns, items) });
  }

  /**
   * Inserts the rows of each table in their order, and returns what the insert of the last one does. Each connection
   * plans the statement once.
   */
  async insert<R extends QueryResultRow>(db: Queryable): Promise<readonly R[]> {
    const inserts = this.#inserts.splice(0);
    const arrays: ArrayColumn[] = [];
    const texts = inserts.map((insert) => {
      const text = insert.text(arrays.length + 1);
      arrays.push(...insert.arrays);
      return text;
    });
    const last = texts.pop();
    if (last === undefined) return [];
    const before = texts.map((text, index) => `others_${index} AS (${text})`).join(', ');
    const text = before === '' ? last : `WITH ${before} ${last}`;
    const name = `insert ${hash('sha1', text)}`;
    const { rows } = await withArrays(arrays, (values) => db.query<R>({ name, text }, values));
    return rows;
  }
}

/** Inserts items in their order. */
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

/**
 * SQL text of rows in their order, from `arraysOf` as parameters. A VALUES list has a parameter for each value, which
 * the driver encodes and PostgreSQL parses and plans one by one.
 *
 * @param first number of the first parameter
 */
export function selectRows<T>(columns: readonly Column<T>[], first = 1): string {
  const names = columns.map(([name]) => name).join(', ');
  const typed = columns.map(([name, type]) => (isStored(type) ? name : `${name}::${type}`)).join(', ');
  const arrays = columns.map(([, type], index) => `$${first + index}::${isStored(type) ? type : 'text'}[]`).join(', ');
  return `SELECT ${typed} FROM unnest(${arrays}) AS new (${names})`;
}

/** Values of rows as arrays, for `selectRows`. */
export function arraysOf<T>(columns: readonly Column<T>[], items: readonly T[]): ArrayColumn[] {
  return columns.map(([, type, valueOf]) => ({
    type: type === 'bytea' ? type : 'text',
    values: items.map((item) => parameterOf(valueOf(item))),
  }));
}

/** True for the types that arrays have; values of other types are texts, which PostgreSQL converts. */
function isStored(type: string): boolean {
  return type === 'text' || type === 'bytea';
}

function parameterOf(value: Value): string | Uint8Array | null {
  if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? arrayText(value) : String(value);
}

/** Text form of an array. */
function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
