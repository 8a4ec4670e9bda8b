import type { QueryResult, QueryResultRow } from 'pg';
import type { ValueTransformer } from 'typeorm';
import { parseExact } from './exact-json.ts';
import { storable } from './storable-text.ts';

/** The database, or one transaction of it. */
export interface Queryable {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}

const asItIs = (value: unknown): unknown => value;

/** Columns of an inserted row: TypeORM's own type for them recurses endlessly on JSON. */
export function rowOf<E>(columns: Partial<E> | readonly Partial<E>[]): never {
  return columns as never;
}

/** Splits rows so that a statement has fewer than 65,535 parameters. */
export function chunksOf<T>(rows: readonly T[], size = 5_000): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}

/** Text of callers. */
export const outsideText: ValueTransformer = {
  to: (value: unknown) => (typeof value === 'string' ? storable(value) : value),
  from: asItIs,
};

/** JSON whose numbers retain their digits. */
export const exactJson: ValueTransformer = { to: asItIs, from: parseExact };

export const plainJson: ValueTransformer = { to: asItIs, from: JSON.parse };

/** A bigint that fits into a number. */
export const wholeNumber: ValueTransformer = {
  to: asItIs,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

/** A count of 100 ns. */
export const ticks: ValueTransformer = { to: String, from: BigInt };
