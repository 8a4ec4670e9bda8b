import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { Database } from '@gondola/service-kit/database/database';
import type { Servers } from './bench.ts';
import type { Contest } from './contest.ts';
import { BENCH_ACCOUNT } from './order-notifications.ts';

const REQUESTS = 30_000;
/** Requests of the warm-up round, which covers the first seconds of a server whose code is not compiled yet. */
const WARM_UP_REQUESTS = 120_000;
const CONNECTIONS = 64;
const TOKEN = 'bench-webhook-token-of-today';

const APP_FOLDER = join(import.meta.dirname, '../../apps/webhook-ingest');
const MAIN = new URL('../../apps/webhook-ingest/src/main.ts', import.meta.url);
const BARE = new URL('../../apps/webhook-ingest/test/bench/bare-server.main.ts', import.meta.url);
const ONE_BY_ONE = new URL('../../apps/webhook-ingest/test/bench/one-by-one.main.ts', import.meta.url);
const LOAD = new URL('./load.main.ts', import.meta.url);

/**
 * Share of a bare server's throughput that remains when a notification is answered after its commit: orders of 6 kB
 * over 64 connections. All candidates but one run without a relay (Kafka is away); that one says so in its name.
 */
export async function ingestContest({ databaseUrl, kafkaBrokers }: Servers): Promise<Contest> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-'));
  const nowhere = `127.0.0.1:${await freePort()}`;
  const tenantsFile = join(folder, 'tenants.json');
  await writeFile(tenantsFile, JSON.stringify(TENANTS));
  const running: { stop(): Promise<unknown> }[] = [];

  const start = async (name: string, main: URL, more: Record<string, string> = {}): Promise<string> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      HTTP_PORT: String(port),
      KAFKA_BROKERS: nowhere,
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: `bench_${name}`,
      TENANTS_FILE: tenantsFile,
      TOPIC_PREFIX: 'bench-ingest-',
      BENCH_TOKEN: TOKEN,
      SPOOL_DIR: join(folder, name),
      LOG_LEVEL: 'warn',
      ...more,
    };
    const args = [...SOURCES, fileURLToPath(main)];
    const logFile = join(folder, `${name}.log`);
    running.push(await startChildApp({ name, args, cwd: APP_FOLDER, env, logFile, readyUrl: `${url}/health/ready` }));
    return url;
  };
  /**
   * Delivers everything to an empty inbox and empties it again: a busy relay would slow down the next candidate.
   */
  const candidate = (name: string, url: string, schema: string | null) => ({
    name,
    run: async (isWarmUp: boolean) => {
      const perSecond = await load(url, isWarmUp ? WARM_UP_REQUESTS : REQUESTS);
      if (schema !== null) await truncate(databaseUrl, `bench_${schema}`);
      return perSecond;
    },
  });

  const bare = candidate('bare Fastify, stores nothing', await start('bare', BARE), null);
  const groups = candidate('webhook-ingest, after the commit', await start('groups', MAIN), 'groups');
  const oneByOne = candidate('one INSERT per request', await start('one_by_one', ONE_BY_ONE), 'one_by_one');
  // The spool is never imported and holds all rounds.
  const away = { DATABASE_URL: `postgres://bench:bench@${nowhere}/bench`, SPOOL_MAX_BYTES: '4000000000' };
  const spool = candidate('webhook-ingest, into the spool', await start('spool', MAIN, away), null);
  const relaying = { KAFKA_BROKERS: kafkaBrokers, TOPIC_PARTITIONS: '3' };
  const withRelay = candidate('webhook-ingest, relaying too', await start('relaying', MAIN, relaying), 'relaying');
  return {
    name: `deliveries of 6 kB, ${CONNECTIONS} connections`,
    unit: 'requests/s',
    candidates: [bare, groups, oneByOne, spool, withRelay],
    checks: [
      { of: groups.name, to: bare.name, target: 0.75, atLeast: 0.65 },
      { of: groups.name, to: oneByOne.name, target: 1.5, atLeast: 1.3 },
      { of: spool.name, to: groups.name, target: 1, atLeast: 1 },
    ],
    close: async () => {
      await Promise.all(running.map((app) => app.stop()));
      await rm(folder, { recursive: true });
    },
  };
}

async function load(url: string, requests: number): Promise<number> {
  const args = [fileURLToPath(LOAD), url, TOKEN, String(requests), String(CONNECTIONS)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { perSecond, refused } = JSON.parse(stdout) as { perSecond: number; refused: number };
  if (refused > 0) throw new Error(`${refused} deliveries were not answered 200`);
  return perSecond;
}

async function truncate(url: string, schema: string): Promise<void> {
  const database = new Database({ url, schema, migrations: [] });
  await database.connect();
  await database.query('TRUNCATE notifications');
  await database.close();
}

const TENANTS = {
  tenants: [
    {
      id: 'bench',
      contractAccountId: BENCH_ACCOUNT,
      platform: { baseUrl: 'http://127.0.0.1:9', username: 'bench', password: { env: 'BENCH_TOKEN' } },
      webhook: { tokens: [{ env: 'BENCH_TOKEN' }] },
    },
  ],
};
