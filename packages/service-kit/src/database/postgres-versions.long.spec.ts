import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type ManagedServer, startServer } from '@gondola/local-stack/managed-server';
import { postgresUser } from '@gondola/local-stack/postgres-user';
import { inServerFolder, type ServerFolder } from '@gondola/local-stack/server-folder';
import { TEST_STACK_VARIABLE } from '@gondola/local-stack/test-stack';
import { Client } from 'pg';

const run = promisify(execFile);
const WORKSPACE = join(import.meta.dirname, '../..');
const ROOT = join(WORKSPACE, '../..');
const DEBIAN = '/usr/lib/postgresql';
const LEAST_VERSION = 14;
const NAME = 'gondola';

const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).filter((name) => Number(name) >= LEAST_VERSION) : [];

function urlOf(port: number, database = NAME): string {
  return `postgres://${NAME}:any@127.0.0.1:${port}/${database}`;
}

/** Starts the server of one of Debian's packages on new data. It listens on 127.0.0.1 alone, without passwords. */
async function startDebians(version: string, folder: ServerFolder): Promise<ManagedServer> {
  const bin = join(DEBIAN, version, 'bin');
  const data = join(folder.path, 'data');
  const user = postgresUser();
  const env = { ...hostEnvironment(), LC_ALL: 'C' };
  await mkdir(data, { mode: 0o700 });
  if (user !== undefined) await chown(data, user.uid, user.gid);
  const flags = ['--encoding=UTF8', '--locale=C', '--auth=trust', '--no-sync', `--username=${NAME}`];
  await run(join(bin, 'initdb'), [`--pgdata=${data}`, ...flags], { env, cwd: '/', ...user });
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'];
  return startServer({
    name: `PostgreSQL ${version}`,
    folder,
    stopSignal: 'SIGINT',
    order: async (port) => ({
      command: join(bin, 'postgres'),
      args: ['-D', data, ...[...settings, `port=${port}`].flatMap((setting) => ['-c', setting])],
      env,
      logFile: join(folder.path, 'postgres.log'),
      cwd: '/',
      ...user,
    }),
    isReady: hasDatabase,
  });
}

async function hasDatabase(port: number): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(port, 'postgres') });
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

/** Output of the suite of any installation on the server at this port. Throws if a test of it fails. */
async function runSuite(port: number): Promise<string> {
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', join(ROOT, 'jest.config.js')];
  const stack = { kafkaBrokers: '127.0.0.1:1', databaseUrl: urlOf(port) };
  const env = { ...process.env, [TEST_STACK_VARIABLE]: JSON.stringify(stack) };
  const args = ['--disable-warning=ExperimentalWarning', ...jest, '--rootDir', '.', 'src/database/any-installation'];
  return (await run(process.execPath, args, { cwd: WORKSPACE, env })).stderr;
}

(versions.length === 0 ? describe.skip : describe)('the PostgreSQL of a package of Debian', () => {
  it.each(versions)('%s holds whatever holds of any installation', async (version) => {
    await inServerFolder('postgres', { temporaryRoot: tmpdir() }, async (folder) => {
      const server = await startDebians(version, folder);
      try {
        expect(await runSuite(server.port)).toMatch(/Tests: .*\d+ passed/);
      } finally {
        await server.stop();
      }
    });
  });
});
