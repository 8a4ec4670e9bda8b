import type { QueryResult, QueryResultRow } from 'pg';

/** Runs one statement: a transaction, a single connection, or the `Database` itself. */
export interface Queryable {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}
