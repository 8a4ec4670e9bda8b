import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@gondola/local-stack/free-port';
import { Database } from '@gondola/service-kit/database/database';
import { type BenchApp, startBenchApp } from './bench-app.ts';
import { contestBench } from './bench.ts';
import { SECRET } from './tenant.ts';

const REQUESTS = 30_000;
/** Requests of the warm-up round, which covers the first seconds of a server whose code is not compiled yet. */
const WARM_UP_REQUESTS = 120_000;
const CONNECTIONS = 64;
const BARE = new URL('../../apps/webhook-ingest/test/bench/bare-server.main.ts', import.meta.url);
const ONE_BY_ONE = new URL('../../apps/webhook-ingest/test/bench/one-by-one.main.ts', import.meta.url);
const LOAD = fileURLToPath(new URL('./load.main.ts', import.meta.url));

/**
 * Share of a bare server's throughput that remains when a notification is answered after its commit: orders of 6 kB
 * over 64 connections. All candidates but one run without a relay (Kafka is away); that one says so in its name.
 */
export const ingestBench = contestBench('ingest', async ({ databaseUrl, kafkaBrokers }) => {
  const nowhere = `127.0.0.1:${await freePort()}`;
  const running: BenchApp[] = [];
  const start = async (schema: string, { kafka = nowhere, env = {}, ...program }: Start = {}): Promise<string> => {
    const servers = { databaseUrl, kafkaBrokers: kafka };
    const named = { DATABASE_SCHEMA: schema, ...env };
    const app = await startBenchApp(servers, { app: 'webhook-ingest', ...program, env: named });
    running.push(app);
    return app.url;
  };
  /**
   * Delivers everything to an empty inbox and empties it again: a busy relay would slow down the next candidate.
   */
  const candidate = (name: string, url: string, schema: string | null) => ({
    name,
    run: async (isWarmUp: boolean) => {
      const perSecond = await deliver(url, isWarmUp ? WARM_UP_REQUESTS : REQUESTS);
      if (schema !== null) await truncateInbox(databaseUrl, schema);
      return perSecond;
    },
  });

  const bareUrl = await start('bare', { main: BARE });
  const bare = candidate('bare Fastify, stores nothing', bareUrl, null);
  const groups = candidate('webhook-ingest, after the commit', await start('groups'), 'groups');
  const oneByOneUrl = await start('one_by_one', { main: ONE_BY_ONE });
  const oneByOne = candidate('one INSERT per request', oneByOneUrl, 'one_by_one');
  // The spool is never imported and holds all rounds.
  const away = { DATABASE_URL: `postgres://bench:bench@${nowhere}/bench`, SPOOL_MAX_BYTES: '4000000000' };
  const spool = candidate('webhook-ingest, into the spool', await start('spool', { env: away }), null);
  const relayingUrl = await start('relaying', { kafka: kafkaBrokers });
  const withRelay = candidate('webhook-ingest, relaying too', relayingUrl, 'relaying');
  return {
    name: `deliveries of 6 kB, ${CONNECTIONS} connections`,
    unit: 'requests/s',
    candidates: [bare, groups, oneByOne, spool, withRelay],
    checks: [
      { of: groups, to: bare, target: 0.75, atLeast: 0.65 },
      { of: groups, to: oneByOne, target: 1.5, atLeast: 1.3 },
      { of: spool, to: groups, target: 1, atLeast: 1 },
    ],
    close: async () => void (await Promise.all(running.map((app) => app.stop()))),
  };
});

interface Start {
  readonly main?: URL;
  readonly kafka?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Delivers notifications of 6 kB, and returns their rate per second. */
export async function deliver(url: string, requests: number): Promise<number> {
  const args = [LOAD, url, SECRET, String(requests), String(CONNECTIONS)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { perSecond, refused } = JSON.parse(stdout) as { perSecond: number; refused: number };
  if (refused > 0) throw new Error(`${refused} deliveries were not answered 200`);
  return perSecond;
}

export async function truncateInbox(url: string, schema: string): Promise<void> {
  const database = new Database({ url, schema, migrations: [] });
  await database.connect();
  await database.query('TRUNCATE notifications');
  await database.close();
}
