import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { ObjectLiteral, Repository } from 'typeorm';
import { breaksConnection, DatabaseUnavailableError, sqlStateOf, takenIdentityOf } from './database-errors.ts';
import { type DatabasePool, openPool } from './database-pool.ts';
import { SettingError } from '../config/config.ts';
import { databaseRefusal } from './database-refusal.ts';
import { identityTakenRefusal, rightsRefusal } from './installation-refusals.ts';
import { lookAtSchema, lookAtSequences, lookAtServer } from './server-look.ts';
import { tracing } from '../tracing/tracing.ts';
import { type EntityClass, managerOf } from './repositories.ts';
import type { Logger } from '../logging/logger.ts';
import {
  type MigrationClass,
  MigrationsPendingError,
  pendingMigrations,
  revertLastMigration,
  runMigrations,
} from './migrations.ts';

/** A connection inside `transaction`. Callers use only its `query`, and never run `BEGIN` or `COMMIT`. */
export type Tx = PoolClient;

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, including parameters such as `sslmode`. */
  url: string;
  /** The app's own schema: lower case letters, digits, underscores. Becomes the `search_path`. */
  schema: string;
  migrations: readonly MigrationClass[];
  /** Entities for `repository`: all tables of the app, including those of `packages/lanes`. Default none. */
  entities?: readonly EntityClass[];
  /** False for `MIGRATIONS=off`: `connect` then only checks that no migration is pending. Default true. */
  runMigrations?: boolean;
  /** Maximum number of connections. Default 10. */
  poolSize?: number;
  /** Additional connections for the work in `urgently` alone. Default none: that work then uses the others. */
  urgentPoolSize?: number;
  /** Time after which an unanswered query fails as `transient` and its connection is destroyed. Default 5,000. */
  queryTimeoutMs?: number;
  logger?: Logger;
}

/** Connections of a pool now. */
export interface PoolUse {
  readonly pool: 'ordinary' | 'urgent';
  readonly used: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection now. */
  readonly waiting: number;
}

const DEFAULT_POOL_SIZE = 10;
const DEFAULT_QUERY_TIMEOUT_MS = 5_000;
/** A migration may build a large index; this time also includes waiting for another replica's migration. */
const MIGRATION_TIMEOUT_MS = 600_000;
/** Nobody waits for a job of migrations as for an answer, and beside a roll-out the machine may be busy. */
const MIGRATION_CONNECT_MS = 60_000;
const CLOSE_GRACE_MS = 2_000;
const INSUFFICIENT_PRIVILEGE = '42501';
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * An app's PostgreSQL: a TypeORM DataSource that is created in code, because the process boots without a database,
 * and hot SQL as text through its pool. `search_path` is the app's schema, times are UTC, and bigint and numeric
 * are returned as text, whatever the settings of the server, the database and the role.
 *
 * Guarantees: no call waits longer than `queryTimeoutMs` for a server that does not answer (including the pool's
 * queue; each step of a transaction counts separately); a connection in doubt is never used again; a broken idle
 * connection does not end the process. Tested in database.int.spec.ts and database-frozen.long.spec.ts.
 */
export class Database {
  readonly schema: string;
  readonly #options: DatabaseOptions;
  readonly #queryTimeoutMs: number;
  readonly #open = new Set<DatabasePool>();
  readonly #urgency = new AsyncLocalStorage<true>();
  #current: DatabasePool | undefined;
  #urgent: DatabasePool | undefined;
  #connecting: Promise<void> | undefined;
  #closed = false;
  #waitedMs = 0;

  constructor(options: DatabaseOptions) {
    if (!SCHEMA_NAME.test(options.schema))
      throw new Error('A schema name must consist of lower case letters, digits and underscores');
    this.#options = options;
    this.schema = options.schema;
    this.#queryTimeoutMs = options.queryTimeoutMs ?? DEFAULT_QUERY_TIMEOUT_MS;
  }

  /**
   * Connects and migrates (or checks that no migration is pending). Can be called again after a failure; has no
   * effect when connected. Throws `MigrationsPendingError` (permanent), `SettingError` if the server is away,
   * refuses, or is none that the app can work with, or the driver's error.
   */
  async connect(): Promise<void> {
    if (this.#closed) throw new DatabaseUnavailableError('The database was closed');
    if (this.#current !== undefined) return;
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined));
    await this.#connecting;
  }

  /**
   * Connects, migrates and closes again: `node dist/main.js migrate`. Returns the names of the migrations that ran.
   */
  async migrate(): Promise<string[]> {
    return this.#withMigrationPool(async ({ dataSource, pool }) => {
      await lookAtServer(pool, this.#options.url);
      return runMigrations(dataSource, this.schema);
    });
  }

  /** Reverts the newest migration that ran, by its `down`. */
  async revertLastMigration(): Promise<void> {
    await this.#withMigrationPool(({ dataSource }) => revertLastMigration(dataSource, this.schema));
  }

  /**
   * Runs one statement on any connection, outside a transaction. Each connection parses and plans a statement with
   * a `name` only once: use it for frequent statements whose plan does not depend on the values. A name always
   * identifies the same text.
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
      throw this.#named(error);
    }
  }

  /**
   * Runs statements on one connection, outside a transaction. Those that `work` does not await one by one are sent
   * together, and answered in their order: of any number, one round trip.
   */
  async together<T>(work: (db: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let destroy = true;
    try {
      const result = await work(client);
      destroy = false;
      return result;
    } catch (error) {
      throw this.#named(error);
    } finally {
      // After an error others of its statements may still run.
      client.release(destroy);
    }
  }

  /**
   * Runs `work` in a transaction and commits. It sees what others have committed before each of its statements. If
   * anything throws, the whole transaction is rolled back and the error is rethrown, unchanged but for a fault of the
   * installation, which becomes a `SettingError` with the error as its cause. After an error of COMMIT itself the
   * outcome is *unknown*, so `work` must be safe to repeat. Must not be nested: an inner call would be a separate
   * transaction on a separate connection.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!tracing.isOn) return this.#transact(work);
    const namespace = `${new URL(this.#options.url).pathname.slice(1)}|${this.schema}`;
    const attributes = { 'db.system.name': 'postgresql', 'db.namespace': namespace };
    return tracing.part({ name: 'transaction', kind: 'client', attributes }, () => this.#transact(work));
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.connection();
    let destroy = true;
    try {
      // Awaited: were it sent together with a statement of `work` and failed alone, that would be committed.
      await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
      const result = await work(client);
      const { command } = await client.query('COMMIT');
      destroy = false;
      // If a statement failed and its error was caught, PostgreSQL answers COMMIT with ROLLBACK.
      if (command !== 'COMMIT')
        throw new Error('A statement of the transaction had failed, so it was rolled back instead of committed');
      return result;
    } catch (error) {
      if (destroy && !breaksConnection(error)) destroy = !(await rolledBack(client));
      throw this.#named(error);
    } finally {
      client.release(destroy);
    }
  }

  /**
   * TypeORM's repository of an entity: within `tx`, or with any connection for each call. Request it where it is
   * used and do not store it: it belongs to one transaction, or to the pool that `connect` opened. Its errors
   * contain the driver's error, which `classifyDatabaseError` finds.
   */
  repository<E extends ObjectLiteral>(entity: EntityClass<E>, tx?: Tx): Repository<E> {
    const { dataSource } = this.#connected();
    return (tx === undefined ? dataSource.manager : managerOf(dataSource, tx)).getRepository(entity);
  }

  /** True if the server answers now. Never throws. */
  async isUp(): Promise<boolean> {
    try {
      await this.query('SELECT 1');
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Runs `work` with the connections that are reserved for urgent work: its statements and transactions, and those of
   * everything that it starts, wait only for each other, however much other work queues for a connection.
   */
  urgently<T>(work: () => T): T {
    return this.#urgency.run(true, work);
  }

  /**
   * A connection for the caller alone, for session advisory locks. The caller must release it; `release(true)`
   * destroys it and frees its locks. If the connection breaks, its next query fails.
   */
  async connection(): Promise<PoolClient> {
    const { pool } = this.#urgency.getStore() === true ? this.#urgentlyConnected() : this.#connected();
    if (pool.idleCount > 0) return pool.connect();
    const since = performance.now();
    try {
      return await pool.connect();
    } finally {
      this.#waitedMs += performance.now() - since;
    }
  }

  /** Use of the open pools. */
  pools(): readonly PoolUse[] {
    const named = [['ordinary', this.#current] as const, ['urgent', this.#urgent] as const];
    return named.flatMap(([pool, open]) => {
      if (open === undefined) return [];
      const { totalCount, idleCount: idle, waitingCount: waiting } = open.pool;
      return [{ pool, used: totalCount - idle, idle, waiting }];
    });
  }

  /** Milliseconds that statements and transactions have waited for a connection since the start, taken together. */
  waitedMs(): number {
    return this.#waitedMs;
  }

  /** Waits up to two seconds for connections in use, then destroys them. The database cannot be used afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#current = undefined;
    this.#urgent = undefined;
    await Promise.all([...this.#open].map((pool) => this.#end(pool)));
  }

  #connected(): DatabasePool {
    if (this.#current === undefined) throw new DatabaseUnavailableError('The database is not connected');
    return this.#current;
  }

  #urgentlyConnected(): DatabasePool {
    return this.#urgent ?? this.#connected();
  }

  async #connect(): Promise<void> {
    const { poolSize = DEFAULT_POOL_SIZE, urgentPoolSize = 0 } = this.#options;
    const pool = await this.#openPool(this.#queryTimeoutMs, poolSize);
    let urgent: DatabasePool | undefined;
    try {
      await lookAtServer(pool.pool, this.#options.url);
      await lookAtSchema(pool.pool, this.#options.url, this.schema);
      const pending = await pendingMigrations(pool.dataSource);
      if (pending.length > 0) {
        if (this.#options.runMigrations === false) throw new MigrationsPendingError(this.schema, pending);
        const done = await this.migrate();
        this.#options.logger?.info({ schema: this.schema, migrations: done }, 'The database was migrated');
      }
      await lookAtSequences(pool.pool, this.#options.url);
      if (urgentPoolSize > 0) urgent = await this.#openPool(this.#queryTimeoutMs, urgentPoolSize);
      if (this.#closed) throw new DatabaseUnavailableError('The database was closed while connecting');
    } catch (error) {
      await this.#end(pool);
      if (urgent !== undefined) await this.#end(urgent);
      throw this.#named(error);
    }
    this.#current = pool;
    this.#urgent = urgent;
  }

  async #withMigrationPool<T>(work: (pool: DatabasePool) => Promise<T>): Promise<T> {
    const pool = await this.#openPool(MIGRATION_TIMEOUT_MS, 1, MIGRATION_CONNECT_MS);
    try {
      return await work(pool);
    } catch (error) {
      throw this.#named(error);
    } finally {
      await this.#end(pool);
    }
  }

  /** A fault of the installation as a sentence that names what to change; any other error as it is. */
  #named(error: unknown): unknown {
    const { url } = this.#options;
    if (error instanceof SettingError) return error;
    const identity = takenIdentityOf(error);
    if (identity !== null) return identityTakenRefusal({ url, schema: this.schema, ...identity }, error);
    return error instanceof Error && sqlStateOf(error) === INSUFFICIENT_PRIVILEGE ? rightsRefusal(url, error) : error;
  }

  async #openPool(
    queryTimeoutMs: number,
    poolSize: number,
    connectTimeoutMs = this.#queryTimeoutMs,
  ): Promise<DatabasePool> {
    const { url, migrations, entities = [], logger } = this.#options;
    const pool = await openPool({
      url,
      schema: this.schema,
      migrations,
      entities,
      poolSize,
      queryTimeoutMs,
      connectTimeoutMs,
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
