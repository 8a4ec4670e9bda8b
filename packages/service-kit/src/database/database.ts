import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { ObjectLiteral, Repository } from 'typeorm';
import { breaksConnection, DatabaseUnavailableError } from './database-errors.ts';
import { type DatabasePool, openPool } from './database-pool.ts';
import { databaseRefusal } from './database-refusal.ts';
import { type EntityClass, managerOf } from './repositories.ts';
import type { Logger } from '../logging/logger.ts';
import {
  type MigrationClass,
  MigrationsPendingError,
  pendingMigrations,
  revertLastMigration,
  runMigrations,
} from './migrations.ts';

/** One connection inside `transaction`. Its `query` is all that is used of it; `BEGIN`, `COMMIT` are not the user's. */
export type Tx = PoolClient;

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, parameters such as `sslmode` included. */
  url: string;
  /** The app's own schema: lower case, digits, underscores. It becomes the `search_path`. */
  schema: string;
  migrations: readonly MigrationClass[];
  /** Those of `repository`: all tables of the app, messaging's included. Default none. */
  entities?: readonly EntityClass[];
  /** False for `MIGRATIONS=off`: `connect` then only checks that none is pending. Default true. */
  runMigrations?: boolean;
  /** Connections at most. Default 10. */
  poolSize?: number;
  /** After this long without an answer a query fails as `transient` and its connection is destroyed. Default 5,000. */
  queryTimeoutMs?: number;
  /** For an app that reads numbers in json columns with their digits: their values come as text. Default false. */
  jsonAsText?: boolean;
  logger?: Logger;
}

const DEFAULT_POOL_SIZE = 10;
const DEFAULT_QUERY_TIMEOUT_MS = 5_000;
/** A migration may build an index over much data; waiting for another replica's migration is within it. */
const MIGRATION_TIMEOUT_MS = 600_000;
const CLOSE_GRACE_MS = 2_000;
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * An app's PostgreSQL: a TypeORM DataSource made by hand (the process boots without a database), hot SQL as text
 * through its pool. `search_path` is the app's schema, times are UTC, bigint and numeric come as text.
 *
 * Gives: no call waits longer than `queryTimeoutMs` for a server that does not answer (pool queue included, each step
 * of a transaction on its own); a connection that is in doubt is never used again; a broken idle connection ends
 * nobody's process. Tested in database.int.spec.ts and database-frozen.int.spec.ts.
 */
export class Database {
  readonly schema: string;
  readonly #options: DatabaseOptions;
  readonly #queryTimeoutMs: number;
  readonly #open = new Set<DatabasePool>();
  #current: DatabasePool | undefined;
  #connecting: Promise<void> | undefined;
  #closed = false;

  constructor(options: DatabaseOptions) {
    if (!SCHEMA_NAME.test(options.schema)) throw new Error('A schema name is lower case letters, digits, underscores');
    this.#options = options;
    this.schema = options.schema;
    this.#queryTimeoutMs = options.queryTimeoutMs ?? DEFAULT_QUERY_TIMEOUT_MS;
  }

  /**
   * Connects and migrates (or checks that nothing is to be migrated). Safe to call again after a failure, and without
   * effect when connected. Throws `MigrationsPendingError` (permanent), `SettingError` where the
   * server is away or refuses, or the driver's error.
   */
  async connect(): Promise<void> {
    if (this.#closed) throw new DatabaseUnavailableError('The database was closed');
    if (this.#current !== undefined) return;
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    await this.#connecting;
  }

  /** Connects, migrates, and closes again: `node dist/main.js migrate`. Returns the names of what was run. */
  async migrate(): Promise<string[]> {
    return this.#withMigrationPool((pool) => runMigrations(pool.dataSource, this.schema));
  }

  /** Takes back the newest migration that ran, by its `down`. */
  async revertLastMigration(): Promise<void> {
    await this.#withMigrationPool((pool) => revertLastMigration(pool.dataSource, this.schema));
  }

  /**
   * One statement on any connection, outside a transaction. One with a `name` is read and planned once by each
   * connection: for what is asked many times a second, with a plan that does not depend on the values. A name always
   * stands for the same text.
   */
  async query<R extends QueryResultRow = QueryResultRow>(
    statement: string | NamedStatement,
    values: readonly unknown[] = [],
  ): Promise<QueryResult<R>> {
    const { name, text } = typeof statement === 'string' ? { name: undefined, text: statement } : statement;
    const client = await this.connection();
    try {
      const result = await client.query<R>({ text, values: [...values], ...(name !== undefined && { name }) });
      client.release();
      return result;
    } catch (error) {
      client.release(breaksConnection(error));
      throw error;
    }
  }

  /**
   * Runs `work` in a transaction and commits. If anything throws, all of it is rolled back and the error is rethrown
   * as it was. An error of COMMIT itself means *unknown*: it may have happened, so `work` must be safe to repeat.
   * Not to be nested: an inner call would be a transaction of its own, on a connection of its own.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let destroy = true;
    try {
      await client.query('BEGIN');
      const result = await work(client);
      const { command } = await client.query('COMMIT');
      destroy = false;
      // After a failed statement whose error somebody swallowed, PostgreSQL answers COMMIT with ROLLBACK.
      if (command !== 'COMMIT') throw new Error('The transaction had failed, and was rolled back instead of committed');
      return result;
    } catch (error) {
      if (destroy && !breaksConnection(error)) destroy = !(await rolledBack(client));
      throw error;
    } finally {
      client.release(destroy);
    }
  }

  /**
   * TypeORM's repository of an entity: within `tx`, or on any connection, each call for itself. To be asked for where
   * it is used and not stored: it belongs to one transaction, or to the pool that `connect` opened. What it throws has
   * the driver's error inside, which `classifyDatabaseError` finds.
   */
  repository<E extends ObjectLiteral>(entity: EntityClass<E>, tx?: Tx): Repository<E> {
    const { dataSource } = this.#connected();
    return (tx === undefined ? dataSource.manager : managerOf(dataSource, tx)).getRepository(entity);
  }

  /** Whether the server answers now. Never throws. */
  async isUp(): Promise<boolean> {
    try {
      await this.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  /**
   * A connection of the caller's own, for session advisory locks. It must be released; `release(true)` destroys it
   * and lets go of its locks. A connection that breaks ends as failure of its next query.
   */
  async connection(): Promise<PoolClient> {
    return this.#connected().pool.connect();
  }

  /** Waits up to two seconds for connections in use, then destroys them. Nothing can be used afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#current = undefined;
    await Promise.all([...this.#open].map((pool) => this.#end(pool)));
  }

  #connected(): DatabasePool {
    if (this.#current === undefined) throw new DatabaseUnavailableError('The database is not connected');
    return this.#current;
  }

  async #connect(): Promise<void> {
    const pool = await this.#openPool(this.#queryTimeoutMs, this.#options.poolSize ?? DEFAULT_POOL_SIZE);
    try {
      const pending = await pendingMigrations(pool.dataSource);
      if (pending.length > 0) {
        if (this.#options.runMigrations === false) throw new MigrationsPendingError(this.schema, pending);
        const done = await this.migrate();
        this.#options.logger?.info({ schema: this.schema, migrations: done }, 'Database migrated');
      }
      if (this.#closed) throw new DatabaseUnavailableError('The database was closed while connecting');
    } catch (error) {
      await this.#end(pool);
      throw error;
    }
    this.#current = pool;
  }

  async #withMigrationPool<T>(work: (pool: DatabasePool) => Promise<T>): Promise<T> {
    const pool = await this.#openPool(MIGRATION_TIMEOUT_MS, 1);
    try {
      return await work(pool);
    } finally {
      await this.#end(pool);
    }
  }

  async #openPool(queryTimeoutMs: number, poolSize: number): Promise<DatabasePool> {
    const { url, migrations, entities = [], jsonAsText = false, logger } = this.#options;
    const pool = await openPool({
      url,
      schema: this.schema,
      migrations,
      entities,
      poolSize,
      queryTimeoutMs,
      jsonAsText,
      connectTimeoutMs: this.#queryTimeoutMs,
      onIdleError: (err) => logger?.warn({ err }, 'An idle database connection broke'),
    }).catch((error: unknown) => {
      throw databaseRefusal(url, error);
    });
    this.#open.add(pool);
    return pool;
  }

  async #end(pool: DatabasePool): Promise<void> {
    this.#open.delete(pool);
    await pool.end(CLOSE_GRACE_MS);
  }
}

async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}
