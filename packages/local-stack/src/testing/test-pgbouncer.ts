import { chown, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { findPrograms, hostEnvironment } from '../host-environment.ts';
import { type ManagedServer, startServer } from '../managed-server.ts';
import { postgresUser } from '../postgres-user.ts';
import { inServerFolder } from '../server-folder.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface TestPgbouncer extends ManagedServer {
  /** The database of the server behind it, in the form of `DATABASE_URL`. */
  readonly url: string;
}

/** The machine's PgBouncer, or undefined; Debian installs it where the PATH of a user does not look. */
export async function findPgbouncer(): Promise<string | undefined> {
  const path = [process.env['PATH'], '/usr/sbin'].join(delimiter);
  return (await findPrograms('pgbouncer', { PATH: path }))[0];
}

/** Starts a real PgBouncer on 127.0.0.1 before the PostgreSQL of `databaseUrl`, with settings beside the defaults. */
export async function startPgbouncer(
  command: string,
  databaseUrl: string,
  mode: PoolMode,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<TestPgbouncer> {
  const target = new URL(databaseUrl);
  const urlOf = (port: number) =>
    Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}`, password: 'any' }).href;
  const user = postgresUser();
  return await inServerFolder('postgres', { temporaryRoot: tmpdir() }, async (folder) => {
    const file = join(folder.path, 'pgbouncer.ini');
    const server = await startServer({
      name: 'PgBouncer',
      folder,
      stopSignal: 'SIGINT',
      order: async (port) => {
        await writeFile(file, configuration(target, { pool_mode: mode, listen_port: port, ...settings }), {
          mode: 0o600,
        });
        if (user !== undefined) await chown(file, user.uid, user.gid);
        const place = { cwd: '/', logFile: join(folder.path, 'pgbouncer.log'), ...user };
        return { command, args: [file], env: hostEnvironment(), ...place };
      },
      isReady: (port) => answers(urlOf(port)),
    });
    return Object.assign(server, { url: urlOf(server.port) });
  });
}

function configuration(target: URL, settings: Readonly<Record<string, string | number>>): string {
  const { hostname, port, username, password } = target;
  const server = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const own = { listen_addr: '127.0.0.1', unix_socket_dir: '', auth_type: 'any', ...settings };
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`);
  return ['[databases]', `* = ${server}`, '[pgbouncer]', ...lines, ''].join('\n');
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } finally {
    await client.end();
  }
}
