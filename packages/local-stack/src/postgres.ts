import { resolve } from 'node:path';
import { Client } from 'pg';
import { type ManagedServer, startServer } from './managed-server.ts';
import { preparePostgresFolder } from './postgres-folder.ts';
import { postgresDataDir, temporaryRoot } from './postgres-place.ts';
import { type FolderChoice, inServerFolder } from './server-folder.ts';

export interface PostgresOptions {
  /** Where its data stay. Without it, a temporary folder that `stop` removes. */
  dataDir?: string;
  /** Without it, a free one. */
  port?: number;
  /** False: nothing is forced to disk, for tests. What was committed then still survives `kill`, but no power cut. */
  durable?: boolean;
  /** Hears one sentence for each thing that is worth knowing. */
  log?: (line: string) => void;
}

export interface PostgresServer extends ManagedServer {
  /** `postgres://…`, as `DATABASE_URL` takes it: a superuser, in a database of the same name. */
  readonly url: string;
}

const NAME = 'gondola';
const PROBE_LIMIT_MS = 3_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket file's path has a limit of 107 bytes, and nobody needs one.
  unix_socket_directories: '',
  max_connections: 300,
  timezone: 'UTC',
};

/**
 * `synchronous_commit` stays on: a commit is with the operating system when it is told, so that tests may kill the
 * server.
 */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0 };

/**
 * Starts a real PostgreSQL, for this process alone, on 127.0.0.1, and returns when it serves. Its password is drawn at
 * random and kept, readable for its owner only, beside the data. Throws a `LocalStackError`: folder in use or
 * unreachable, port taken (if `port` was given), failed start.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { dataDir, port, durable = true, log = () => {} } = options;
  return await inServerFolder('postgres', placeOf(dataDir, log), async (folder) => {
    const cluster = await preparePostgresFolder({ folder: folder.path, superuser: NAME, durable });
    const urlOf = (wanted: number, database: string) =>
      `postgres://${NAME}:${cluster.password}@127.0.0.1:${wanted}/${database}`;
    const server = await startServer({
      name: 'PostgreSQL',
      folder,
      port,
      stopSignal: 'SIGINT',
      order: async (wanted) => cluster.order({ ...SETTINGS, ...(durable ? {} : NOT_DURABLE), port: wanted }),
      isReady: (wanted) => isServing(urlOf(wanted, 'postgres')),
    });
    return Object.assign(server, { url: urlOf(server.port, NAME) });
  });
}

function placeOf(dataDir: string | undefined, log: (line: string) => void): FolderChoice {
  if (dataDir === undefined) return { temporaryRoot: temporaryRoot() };
  const path = postgresDataDir(dataDir);
  if (path !== resolve(dataDir))
    log(`PostgreSQL, which must not run as root, cannot reach ${dataDir}: its data are in ${path}`);
  return { path };
}

/** True when the server takes our password, which another one on this port would not, and has our database. */
async function isServing(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PROBE_LIMIT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
    return true;
  } finally {
    await client.end();
  }
}
