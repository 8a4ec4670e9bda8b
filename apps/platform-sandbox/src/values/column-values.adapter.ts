import type { QueryResult, QueryResultRow } from 'pg';
import type { ValueTransformer } from 'typeorm';
import { parseExact } from './exact-json.ts';
import { storable } from './storable-text.ts';

/** The database, or one transaction of it. */
export interface Queryable {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

const asItIs = (value: unknown): unknown => value;

/** Columns of a row that is inserted: TypeORM's own type of them never ends at JSON, which holds itself. */
export function rowOf<E>(columns: Partial<E> | readonly Partial<E>[]): never {
  return columns as never;
}

/** So many rows at once that their columns are fewer than the 65,535 values that a statement takes. */
export function chunksOf<T>(rows: readonly T[], size = 5_000): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}

/** Text from outside. */
export const outsideText: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? storable(value) : value),
  from: asItIs,
};

/** JSON whose numbers leave with the digits that they came with. */
export const exactJson: ValueTransformer = { to: asItIs, from: parseExact };

export const plainJson: ValueTransformer = { to: asItIs, from: JSON.parse };

/** A bigint that a number holds. */
export const wholeNumber: ValueTransformer = {
  to: asItIs,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** A count of 100 ns. */
export const ticks: ValueTransformer = { to: String, from: BigInt };
