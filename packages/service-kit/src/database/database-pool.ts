import { Socket } from 'node:net';
import pg, { type Pool, type PoolClient } from 'pg';
import { DataSource, type Logger as TypeormLogger } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { destroyDoubtfulConnections, type EntityClass } from './repositories.ts';
import type { MigrationClass } from './migrations.ts';
import { MIGRATIONS_TABLE } from './server-look.ts';
import { sessionRefusal } from './installation-refusals.ts';
import {
  ASK_SESSION,
  deviatingSettings,
  READ_SESSION,
  sessionSettings,
  type SessionSettings,
} from './session-settings.ts';

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
  const settings = sessionSettings(options.schema, options.queryTimeoutMs);
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url: options.url,
    schema: options.schema,
    migrations: [...options.migrations],
    entities: [...options.entities],
    migrationsTableName: MIGRATIONS_TABLE,
    isolationLevel: 'READ COMMITTED',
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
      onConnect: async (client: PoolClient) =>
        askSession(
          client.on('error', () => {}),
          options.url,
          settings,
        ),
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

/**
 * Sets what the product relies on and reads it back, both in one round trip. By statements rather than start-up
 * options, which poolers refuse or drop. Throws `SettingError` if the session is another one than asked for.
 */
async function askSession(client: PoolClient, url: string, settings: SessionSettings): Promise<void> {
  const names = Object.keys(settings);
  try {
    const [, { rows }] = await Promise.all([
      client.query(ASK_SESSION, [names, Object.values(settings)]),
      client.query<{ name: string; setting: string }>(READ_SESSION, [names]),
    ]);
    const deviating = deviatingSettings(settings, rows);
    if (deviating.length > 0) throw sessionRefusal(url, deviating);
  } catch (error) {
    // pg-pool ends the connection in order, for which a frozen server would be waited for.
    streamOf(client).destroy();
    throw error;
  }
}

/** The socket of a connection, which the driver's types leave out. */
function streamOf(client: PoolClient): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
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
