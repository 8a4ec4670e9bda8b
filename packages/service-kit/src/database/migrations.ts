import { MigrationExecutor } from 'typeorm';
import type { DataSource, MigrationInterface } from 'typeorm';

/**
 * A migration: a class with `up` and `down` whose name ends in 13 digits (a JavaScript time), by which TypeORM
 * sorts. Its SQL names tables without a schema; the session's `search_path` is the app's schema.
 */
export type MigrationClass = new () => MigrationInterface;

/** Migrations are off, and the schema is not up to date. Waiting does not help: an operator has to run them. */
export class MigrationsPendingError extends Error {
  readonly code = 'MIGRATIONS_PENDING';
  constructor(schema: string, pending: readonly string[]) {
    super(
      `MIGRATIONS=off, mas o schema "${schema}" tem migrações pendentes (${pending.join(', ')}): execute "node dist/main.js migrate". ` +
        `/ MIGRATIONS=off, but schema "${schema}" has pending migrations: run "node dist/main.js migrate".`,
    );
    this.name = 'MigrationsPendingError';
  }
}

/** Names of the pending migrations, in the order in which they would run. */
export async function pendingMigrations(dataSource: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  return pending.map((migration) => migration.name);
}

/**
 * Creates the schema and runs the pending migrations, each in its own transaction, under an advisory lock named by
 * the schema. If several replicas start at once, one migrates; the others wait and then find nothing to do. Returns
 * the names of the migrations that ran here.
 */
export async function runMigrations(dataSource: DataSource, schema: string): Promise<string[]> {
  return underLock(dataSource, schema, async (executor) => {
    const done = await executor.executePendingMigrations();
    return done.map((migration) => migration.name);
  });
}

/** Reverts the newest migration that ran. */
export async function revertLastMigration(dataSource: DataSource, schema: string): Promise<void> {
  await underLock(dataSource, schema, (executor) => executor.undoLastMigration());
}

async function underLock<T>(
  dataSource: DataSource,
  schema: string,
  work: (executor: MigrationExecutor) => Promise<T>,
): Promise<T> {
  // Lock and migrations share one session: if it breaks, the lock is freed with it. After a failure the caller ends
  // the whole pool, and with it the lock.
  const runner = dataSource.createQueryRunner();
  const key = `gondola:migrations:${schema}`;
  try {
    await runner.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [key]);
    await runner.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    const result = await work(executor);
    await runner.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]);
    return result;
  } finally {
    await runner.release();
  }
}
