import type { QueryResult, QueryResultRow } from 'pg';

/** The database, or one transaction of it. */
export interface Queryable {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
}
