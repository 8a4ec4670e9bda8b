import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { hostEnvironment } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import { type ManagedServer, startServer } from './managed-server.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { isReachable, type PostgresUser, postgresUser, reachableTemporaryRoot } from './postgres-user.ts';
import type { SpawnOrder } from './process-keeper.messages.ts';
import { runKept } from './run-kept.ts';
import { inServerFolder } from './server-folder.ts';

export interface PostgresOptions {
  /** Where its data stay. Without it, a temporary folder that `stop` removes. */
  dataDir?: string;
  /** Without it, a free one. */
  port?: number;
  /** False: nothing is forced to disk, for tests. A committed transaction then survives `kill`, and a power cut does not. */
  durable?: boolean;
  /** Hears one sentence for each thing that takes time, or is worth knowing. */
  log?: (line: string) => void;
}

export interface PostgresServer extends ManagedServer {
  /** `postgres://…`, as `DATABASE_URL` takes it: a superuser on an own database. */
  readonly url: string;
}

const NAME = 'gondola';
const INITDB_LIMIT_MS = 120_000;
const PROBE_LIMIT_MS = 3_000;

/**
 * Starts a real PostgreSQL, for this process alone, on 127.0.0.1, and returns when it serves. Its password is drawn at random and lies, for
 * its owner only, in the data folder. Throws a `LocalStackError`: folder in use or unreachable, port taken (if `port` was given), failed start.
 */
export async function startPostgres({
  dataDir,
  port,
  durable = true,
  log = () => {},
}: PostgresOptions = {}): Promise<PostgresServer> {
  const place = choosePlace(dataDir, log);
  return await inServerFolder({ kind: 'postgres', ...place }, async (folder) => {
    const dataFolder = join(folder.path, 'data');
    const user = postgresUser(dataFolder);
    const native = await postgresBinaries(user, folder.path);
    const orderFor = (program: string, args: string[]): SpawnOrder => ({
      command: join(native, 'bin', program),
      args,
      env: { ...hostEnvironment(), LC_ALL: 'C', TZ: 'UTC' },
      logFile: join(folder.path, 'postgres.log'),
      cwd: '/',
      ...user,
    });
    const password = await passwordOf(folder.path, user);
    if (!existsSync(dataFolder)) await initialise({ folder: folder.path, dataFolder, durable, user, orderFor });
    const urlOf = (wanted: number, database: string) =>
      `postgres://${NAME}:${password}@127.0.0.1:${wanted}/${database}`;
    const server = await startServer({
      name: 'PostgreSQL',
      folder,
      port,
      stopSignal: 'SIGINT',
      order: async (wanted) => orderFor('postgres', ['-D', dataFolder, ...settings(wanted, durable)]),
      isReady: (wanted) => isServing(urlOf(wanted, 'postgres')),
    });
    return Object.assign(server, { url: urlOf(server.port, NAME) });
  });
}

function settings(port: number, durable: boolean): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0 }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

interface Initialisation {
  folder: string;
  dataFolder: string;
  durable: boolean;
  user: PostgresUser | undefined;
  orderFor: (program: string, args: string[]) => SpawnOrder;
}

/** Into a folder beside the real one: an initdb that broke off must not look like data. */
async function initialise({ folder, dataFolder, durable, user, orderFor }: Initialisation): Promise<void> {
  const draft = join(folder, 'data.new');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (user) await chown(draft, user.uid, user.gid);
  const flags = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', ...(durable ? [] : ['--no-sync'])];
  const order = orderFor('initdb', [
    `--pgdata=${draft}`,
    `--username=${NAME}`,
    `--pwfile=${passwordFile(folder)}`,
    ...flags,
  ]);
  await runKept(order, INITDB_LIMIT_MS, (tail) => {
    return new LocalStackError('SERVER_FAILED', `PostgreSQL could not initialise ${draft}; its log ends:\n${tail}`);
  });
  await rename(draft, dataFolder);
}

/** True when the server takes our password, which another one on this port would not, and has our database. */
async function isServing(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: PROBE_LIMIT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
    return true;
  } finally {
    await client.end();
  }
}

function passwordFile(folder: string): string {
  return join(folder, 'password');
}

async function passwordOf(folder: string, user: PostgresUser | undefined): Promise<string> {
  const file = passwordFile(folder);
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim();
  const password = randomBytes(24).toString('base64url');
  const draft = `${file}.new`;
  await writeFile(draft, `${password}\n`, { mode: 0o600 });
  if (user) await chown(draft, user.uid, user.gid);
  await rename(draft, file);
  return password;
}

/** As root, a folder that the server's user cannot reach is replaced by one that depends on it below the temporary folder. */
function choosePlace(
  dataDir: string | undefined,
  log: (line: string) => void,
): { dataDir: string | undefined; temporaryRoot: string } {
  const user = postgresUser(dataDir === undefined ? '' : join(dataDir, 'data'));
  const temporaryRoot = reachableTemporaryRoot(user);
  if (dataDir === undefined || !user || isReachable(resolve(dataDir), user)) return { dataDir, temporaryRoot };
  const name = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  const substitute = join(temporaryRoot, `gondola-postgres-${name}`);
  log(`PostgreSQL, which must not run as root, cannot reach ${dataDir}: its data are in ${substitute}`);
  return { dataDir: substitute, temporaryRoot };
}
