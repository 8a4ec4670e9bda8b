import { setTimeout as delay } from 'node:timers/promises';
import { MigrationExecutor, type QueryRunner } from 'typeorm';
import type { DataSource, MigrationInterface } from 'typeorm';
import { sqlStateOf } from './database-errors.ts';

/**
 * A migration: a class with `up` and `down` whose name ends in 13 digits (a JavaScript time), by which TypeORM
 * sorts. Its SQL names tables without a schema; the session's `search_path` is the app's schema.
 */
export type MigrationClass = new () => MigrationInterface;

/** SQLSTATE of a statement that waited for a lock for `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_ATTEMPTS = 100;
const PAUSE_MS = 200;
const SET_LOCK_TIMEOUT = `SET lock_timeout = '2s'`;

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
 * Creates the schema, unless there is one, and runs the pending migrations, each in its own transaction, under an
 * advisory lock named by the schema. If several replicas start at once, one migrates; the others wait and then find
 * nothing to do. Returns the names of the migrations that ran here.
 *
 * Apps may be at work on the tables meanwhile. A statement that waits for a lock makes all later ones wait behind it:
 * so it gives up after two seconds, and its migration begins anew when they have had their turn.
 */
export async function runMigrations(dataSource: DataSource, schema: string): Promise<string[]> {
  return underLock(dataSource, schema, async (executor) => {
    const pending = (await executor.getPendingMigrations()).map(({ name }) => name);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await executor.executePendingMigrations();
        return pending;
      } catch (error) {
        if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
        await delay(PAUSE_MS);
      }
    }
  });
}

/**
 * Builds an index on a table that apps may be writing, without making them wait: `orders (tenant, status)`. For a
 * migration with `transaction = false`. May be repeated: what a broken attempt left is dropped first. On an empty
 * table, such as that of a new installation, it waits for no other transaction.
 */
export async function buildIndex(runner: QueryRunner, name: string, definition: string): Promise<void> {
  const [table] = definition.split(' ');
  const rows: unknown[] = await runner.query(`SELECT 1 FROM ${table} LIMIT 1`);
  const concurrently = rows.length === 0 ? '' : 'CONCURRENTLY';
  await runner.query(`DROP INDEX ${concurrently} IF EXISTS ${name}`);
  // It makes nobody wait while it waits itself for transactions that began before.
  if (rows.length > 0) await runner.query('SET lock_timeout = 0');
  await runner.query(`CREATE INDEX ${concurrently} ${name} ON ${definition}`);
  await runner.query(SET_LOCK_TIMEOUT);
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
    await acquire(runner, key);
    await runner.query(SET_LOCK_TIMEOUT);
    // CREATE SCHEMA IF NOT EXISTS asks for the right to create schemas even where it has nothing to do.
    const existing: unknown[] = await runner.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    if (existing.length === 0) await runner.query(`CREATE SCHEMA "${schema}"`);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    const result = await work(executor);
    await runner.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [key]);
    return result;
  } finally {
    await runner.release();
  }
}

/** Asks for the lock until it is free. A statement that waited for it would itself be waited for by `buildIndex`. */
async function acquire(runner: QueryRunner, key: string): Promise<void> {
  for (;;) {
    const [row] = (await runner.query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held', [key])) as [
      { held: boolean },
    ];
    if (row.held) return;
    await delay(PAUSE_MS);
  }
}
