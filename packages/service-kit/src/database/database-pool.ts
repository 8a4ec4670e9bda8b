import { Socket } from 'node:net';
import pg, { type Pool, type PoolClient } from 'pg';
import { DataSource, type Logger as TypeormLogger } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { destroyDoubtfulConnections, type EntityClass } from './repositories.ts';
import type { MigrationClass } from './migrations.ts';

/**
 * The transaction of a dead client would hold its row locks until TCP notices; the server ends it after this time.
 */
const IDLE_IN_TRANSACTION_MS = 60_000;
const MIGRATIONS_TABLE = 'migrations';

/** TypeORM prints failed migrations to the console whatever `logging` is; the error is thrown anyway. */
const SILENT: TypeormLogger = {
  logQuery() {},
  logQueryError() {},
  logQuerySlow() {},
  logSchemaBuild() {},
  logMigration() {},
  log() {},
};

export interface DatabasePoolOptions {
  url: string;
  schema: string;
  migrations: readonly MigrationClass[];
  entities: readonly EntityClass[];
  poolSize: number;
  queryTimeoutMs: number;
  connectTimeoutMs: number;
  onIdleError: (error: unknown) => void;
}

/** A TypeORM DataSource with its pg pool, and a way to end it even if the server no longer answers. */
export interface DatabasePool {
  dataSource: DataSource;
  pool: Pool;
  /** Closes connections in order for up to `graceMs`, then destroys every socket. */
  end(graceMs: number): Promise<void>;
}

/**
 * Connects. On failure nothing is left open, and the error is the driver's.
 *
 * A frozen server (SIGSTOP, a stalled disk) accepts TCP connections but does not answer. Therefore every wait for
 * the server has a time-out of our own, including the wait when closing.
 */
export async function openPool(options: DatabasePoolOptions): Promise<DatabasePool> {
  const sockets = new Set<Socket>();
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: urlWithSession(options),
    schema: options.schema,
    migrations: [...options.migrations],
    entities: [...options.entities],
    migrationsTableName: MIGRATIONS_TABLE,
    installExtensions: false,
    logging: false,
    logger: SILENT,
    poolSize: options.poolSize,
    connectTimeoutMS: options.connectTimeoutMs,
    poolErrorHandler: options.onIdleError,
    extra: {
      query_timeout: options.queryTimeoutMs,
      // Statements of one connection that are not awaited one by one are sent at once.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      stream: () => tracked(new Socket(), sockets),
      // A connection that breaks while it is in use emits `error`; without a listener that ends the process. Its
      // user gets the failure of the query.
      onConnect: (client: PoolClient) => void client.on('error', () => {}),
    },
  });
  destroyDoubtfulConnections(dataSource);
  const driver = dataSource.driver as PostgresDriver;
  const end = async (graceMs: number): Promise<void> => {
    const pool = driver.master as Pool | undefined;
    if (pool !== undefined && !pool.ending) await atMost(graceMs, pool.end());
    for (const socket of sockets) socket.destroy();
  };
  try {
    await dataSource.initialize();
  } catch (error) {
    await end(0);
    throw error;
  }
  return { dataSource, pool: driver.master as Pool, end };
}

/** Settings of a session as start-up options, which apply from the first statement and cost no round trip. */
function urlWithSession({ url, schema, queryTimeoutMs }: DatabasePoolOptions): string {
  const parsed = new URL(url);
  const own = [
    `search_path=${schema}`,
    'TimeZone=UTC',
    // Shorter than our own time-out: the server then ends a statement that is merely slow, and the connection
    // survives.
    `statement_timeout=${Math.ceil(queryTimeoutMs * 0.9)}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    // Where an index begins with the columns of an order, PostgreSQL supposes that little is left to sort: it read and
    // sorted all lanes of a kind at each claim, rather than follow the index with the whole order.
    'enable_incremental_sort=off',
  ].map((setting) => `-c ${setting}`);
  parsed.searchParams.set('options', [parsed.searchParams.get('options') ?? '', ...own].join(' ').trim());
  return parsed.toString();
}

function tracked(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const expired = Promise.withResolvers<void>();
  const timer = setTimeout(expired.resolve, ms);
  await Promise.race([work, expired.promise]).finally(() => clearTimeout(timer));
}
