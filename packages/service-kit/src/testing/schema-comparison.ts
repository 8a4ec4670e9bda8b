import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import type { DataSource } from 'typeorm';
import { IDENTITY_KEYS } from '../database/database-errors.ts';
import { openPool } from '../database/database-pool.ts';
import type { EntityClass } from '../database/repositories.ts';
import { Database } from '../database/database.ts';
import type { MigrationClass } from '../database/migrations.ts';

export interface ComparedSchema {
  readonly entities: readonly EntityClass[];
  readonly migrations: readonly MigrationClass[];
}

const TIMEOUT_MS = 30_000;
/** Tables of TypeORM itself. */
const NOT_AN_APPS = ['migrations', 'typeorm_metadata'];

/**
 * Runs `migrations` in a separate schema and lets TypeORM compare the tables with `entities`. Returns the
 * statements with which TypeORM would change the tables, a sentence for each primary key with an unknown name, and one
 * for each table that is left once all migrations were reverted; empty if they agree. A table without an entity is not
 * compared: its migration alone defines it.
 *
 * TypeORM compares columns (type, length, array, precision, null, default, identity, generated, collation, primary
 * key, unique) and, by name, unique constraints, checks, foreign keys and indices, including an index's columns. It
 * does not compare: the condition of a partial index, the expression of a check, the order of an index's columns,
 * an index on an expression alone (which it ignores), fill factors, storage of values, sequences.
 */
export async function schemaDifferences({ entities, migrations }: ComparedSchema): Promise<string[]> {
  const testSchema = await createTestSchema('schema comparison');
  const { schema } = testSchema;
  const url = testStack().databaseUrl;
  const database = new Database({ url, schema, migrations });
  try {
    await database.connect();
    const pool = await openPool({
      url,
      schema,
      migrations: [],
      entities,
      poolSize: 2,
      queryTimeoutMs: TIMEOUT_MS,
      connectTimeoutMs: TIMEOUT_MS,
      onIdleError: () => {},
    });
    try {
      await rememberExpressions(database);
      return [
        ...(await changes(pool.dataSource)),
        ...(await keysWithUnknownNames(database)),
        ...(await tablesAfterTheWayBack(database, migrations.length)),
      ];
    } finally {
      await pool.end(TIMEOUT_MS);
    }
  } finally {
    await database.close();
    await testSchema.drop();
  }
}

async function changes(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

/**
 * TypeORM reads the expression of a generated column from a table that it fills when it creates the column itself.
 * Here the table is filled with PostgreSQL's own text, so `asExpression` in an entity must be written as PostgreSQL
 * writes it.
 */
async function rememberExpressions(database: Database): Promise<void> {
  await database.query(`
    CREATE TABLE typeorm_metadata AS
    SELECT 'GENERATED_COLUMN' AS type, table_catalog::text AS database, table_schema::text AS schema,
      table_name::text AS "table", column_name::text AS name, generation_expression::text AS value
    FROM information_schema.columns WHERE table_schema = current_schema() AND is_generated = 'ALWAYS'`);
}

/** Primary keys of one column whose names do not say whether it is an identity, as `takenIdentityOf` reads them. */
async function keysWithUnknownNames(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ table: string; name: string; column: string; isIdentity: boolean }>(`
    SELECT c.relname AS "table", k.conname AS name, a.attname AS "column", a.attidentity <> '' AS "isIdentity"
    FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.conkey[1]
    WHERE k.contype = 'p' AND a.atttypid IN ('bigint'::regtype, 'integer'::regtype) AND cardinality(k.conkey) = 1 AND c.relnamespace = current_schema()::regnamespace`);
  return rows
    .filter(({ table }) => !NOT_AN_APPS.includes(table))
    .filter(({ table, name, column, isIdentity }) => {
      const isKnown = name === `${table}_pkey` && IDENTITY_KEYS.includes(column);
      return isIdentity !== isKnown;
    })
    .map(
      ({ table, column }) =>
        `Table "${table}" has a primary key "${column}" that does not say whether it is an identity`,
    );
}

async function tablesAfterTheWayBack(database: Database, migrations: number): Promise<string[]> {
  for (let reverted = 0; reverted < migrations; reverted += 1) await database.revertLastMigration();
  const left = await tablesOf(database);
  // After a whole way back the tables can be made again.
  if (left.length === 0) await database.migrate();
  return left.map((table) => `Table "${table}" is left after the way back`);
}

async function tablesOf(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ table: string }>(
    `SELECT table_name AS "table" FROM information_schema.tables WHERE table_schema = current_schema()
     ORDER BY table_name`,
  );
  return rows.map(({ table }) => table).filter((table) => !NOT_AN_APPS.includes(table));
}
