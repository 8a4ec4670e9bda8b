import type { NamedStatement } from '@gondola/service-kit/database/database';
import type { QueryResult, QueryResultRow } from 'pg';

/** Runs one statement: a transaction, a single connection, or the `Database` itself. */
export interface Queryable {
  query<R extends QueryResultRow>(statement: string | NamedStatement, values?: unknown[]): Promise<QueryResult<R>>;
}
