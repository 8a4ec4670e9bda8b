import { Socket } from 'node:net';
import pg, { type Pool, type PoolClient, types } from 'pg';
import { DataSource, type Logger as TypeormLogger } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { destroyDoubtfulConnections, type EntityClass } from './repositories.ts';
import type { MigrationClass } from './migrations.ts';

/** A dead client's transaction would hold its row locks until TCP notices; the server ends it after this. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const MIGRATIONS_TABLE = 'migrations';

/** TypeORM prints failed migrations to the console whatever `logging` says; the error itself is thrown. */
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
  /** Values of json columns come as text. Default false. */
  jsonAsText?: boolean;
}

/** A TypeORM DataSource with its pg pool, and a way to end it although the server no longer answers. */
export interface DatabasePool {
  dataSource: DataSource;
  pool: Pool;
  /** Returns connections politely for up to `graceMs`, then destroys every socket. */
  end(graceMs: number): Promise<void>;
}

/**
 * Connects. On failure nothing is left open, and the error is the driver's.
 *
 * A server that is frozen (SIGSTOP, a stalled disk) accepts TCP and answers nothing, so nothing here waits for the
 * server without a time-out of our own, not even closing.
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
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      ...(options.jsonAsText && { types: { getTypeParser: parserWithJsonAsText } }),
      stream: () => tracked(new Socket(), sockets),
      // A connection that breaks while it is checked out emits `error`; unheard, that would end the process. Whoever
      // uses it learns by the failure of its query.
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

/** `search_path` and time zone as start-up options: they hold from the first statement and cost no round trip. */
function urlWithSession({ url, schema, queryTimeoutMs }: DatabasePoolOptions): string {
  const parsed = new URL(url);
  const own = [
    `search_path=${schema}`,
    'TimeZone=UTC',
    // Before our own time-out: a statement that is merely slow is then ended by the server, and the connection lives
    // on.
    `statement_timeout=${Math.ceil(queryTimeoutMs * 0.9)}`,
    `idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
  ].map((setting) => `-c ${setting}`);
  parsed.searchParams.set('options', [parsed.searchParams.get('options') ?? '', ...own].join(' ').trim());
  return parsed.toString();
}

const parserWithJsonAsText: typeof types.getTypeParser = (id, format) =>
  id === types.builtins.JSON ? String : types.getTypeParser(id, format);

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
