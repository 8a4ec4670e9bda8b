import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { startOf } from './process-table.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { waitFor } from './wait-for.ts';

const AT_ONCE = 6;

describe('a started PostgreSQL', () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres({ durable: false });
  });

  afterAll(async () => {
    await postgres.stop();
  });

  it('accepts more than two hundred connections', async () => {
    const [row] = await query(postgres.url, 'SHOW max_connections');
    expect(Number(row?.['max_connections'])).toBeGreaterThanOrEqual(200);
  });

  it('keeps committed rows and its port across a kill and a restart', async () => {
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const { url, pid } = postgres;
    await postgres.kill();
    expect(startOf(pid)).toBeUndefined();
    await expect(query(url, 'SELECT')).rejects.toThrow(/ECONNREFUSED/);
    await postgres.restart();
    expect(postgres.url).toBe(url);
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  });

  it('answers nothing while frozen, even on an open connection, and the open query after it resumes', async () => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    const [{ server } = { server: 0 }] = (await client.query('SELECT pg_backend_pid() AS server')).rows as {
      server: number;
    }[];
    postgres.freeze();
    expect(await stateOf(server)).toBe('T');
    let answered = false;
    const question = client.query('SELECT').then(() => (answered = true));
    await expect(waitFor(() => answered, { describe: 'an answer', timeoutMs: 300 })).rejects.toThrow('in vain');
    postgres.thaw();
    expect(await question).toBe(true);
    await client.end();
  });

  it('starts many times at once without a collision, each with its own password that no other server accepts', async () => {
    const servers = await Promise.all(Array.from({ length: AT_ONCE }, () => startPostgres({ durable: false })));
    const ports = servers.map(({ port }) => port);
    const passwords = [postgres, ...servers].map(({ url }) => new URL(url).password);
    const forged = new URL(postgres.url);
    forged.password = passwords[1]!;
    await expect(query(forged.href, 'SELECT')).rejects.toThrow(/password authentication failed/);
    await Promise.all(servers.map((server) => server.stop()));
    expect(new Set(ports).size).toBe(AT_ONCE);
    expect(new Set(passwords).size).toBe(1 + AT_ONCE);
  });
});

describe('a PostgreSQL with a data folder', () => {
  it('keeps data and password across starts, readable only by their owner', async () => {
    await using folder = await temporaryFolder();
    const dataDir = join(folder.path, 'postgres');
    const first = await startPostgres({ dataDir });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await expect(startPostgres({ dataDir })).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
    await first.stop();
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
    const second = await startPostgres({ dataDir });
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    await second.stop();
  });

  it('uses the temporary folder, and reports it, if its user cannot reach the given one', async () => {
    await using folder = await temporaryFolder();
    const home = join(folder.path, 'home');
    await mkdir(home, { mode: 0o700 });
    const lines: string[] = [];
    const server = await startPostgres({
      dataDir: join(home, 'data'),
      durable: false,
      log: (line) => lines.push(line),
    });
    await server.stop();
    const said =
      /PostgreSQL, which must not run as root, cannot reach .*home\/data: its data are in (.*gondola-postgres-.*)/;
    const places = lines.map((line) => said.exec(line)?.[1] ?? line);
    expect(places.filter((place) => existsSync(place))).toHaveLength(process.getuid?.() === 0 ? 1 : 0);
    await Promise.all(places.map((place) => rm(place, { recursive: true })));
  });
});

/** State letter from /proc/<pid>/stat; T: stopped by a signal. */
async function stateOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2)[0];
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
