import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Bench, Say } from './bench.ts';
import { type BenchApp, cpuSeconds, startBenchApp } from './bench-app.ts';
import { type Arrivals, type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import { productRecord, recordId } from './catalog-records.ts';
import { median } from '@gondola/local-stack/testing/median';
import { NO_RECOVERY, NOTIFICATIONS, publishSkus } from './order-messages.ts';
import { StubPlatform } from './stub-platform.ts';
import { SECRET } from './tenant.ts';

const LOAD = fileURLToPath(new URL('./load.main.ts', import.meta.url));
const PRODUCTS = 'erp.catalog.products.v1';
const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
const REPLICAS = 3;
const ROUNDS = 3;
const DELIVERIES = 6_000;
const LOADED_PRODUCTS = 3_000;
const CONNECTIONS = 48;
const LIMIT_MS = 300_000;
const MEGABYTE_IN_KILOBYTES = 1_024;

type App = (typeof APPS)[number];
type Replicas = Readonly<Record<App, readonly BenchApp[]>>;

/** One machine with everything on it: figures of work that went the whole way. */
interface Rates {
  readonly events: number;
  readonly products: number;
}

/**
 * Work of a small machine with all apps, Kafka, PostgreSQL and the load on it; memory and connections of each app; and
 * the same with three replicas of each. Shown, never checked.
 */
export const sizesBench: Bench = {
  name: 'sizes',
  run: async (servers, say) => {
    const room = await openRoom(servers, [NOTIFICATIONS, PRODUCTS]);
    const platform = await StubPlatform.start(room);
    const started: BenchApp[] = [];
    const start = async (app: App): Promise<BenchApp> => {
      const child = await startBenchApp(servers, {
        app,
        platform: { baseUrl: platform.url, concurrency: 16 },
        tenant: { recovery: NO_RECOVERY },
      });
      started.push(child);
      return child;
    };
    const watched: Arrivals[] = [];
    try {
      const one = await replicas(APPS, async (app) => [await start(app)]);
      const events = await watchArrivals(room, 'erp.orders.events.v1');
      const results = await watchArrivals(room, 'erp.catalog.results.v1', 'command');
      watched.push(events, results);
      await publishSkus(room);
      const measure = (of: Replicas) => rounds(of, events, results, room.producer);
      await measure(one);
      const before = await cpuOf(one);
      const alone = await measure(one);
      await sayWork(one, before, say);
      const three = await replicas(APPS, async (app) => {
        const more: BenchApp[] = [];
        while (more.length < REPLICAS - 1) more.push(await start(app));
        return [...one[app], ...more];
      });
      await measure(three);
      const together = await measure(three);
      sayRates('one replica of each app', alone, say);
      sayRates(`${REPLICAS} replicas of each app`, together, say);
      const shown = { target: 1, atLeast: null };
      return [
        { what: `${REPLICAS} replicas : one, order events`, measured: together.events / alone.events, ...shown },
        { what: `${REPLICAS} replicas : one, products`, measured: together.products / alone.products, ...shown },
      ];
    } finally {
      await Promise.all(watched.map((arrivals) => arrivals.stop()));
      await Promise.all(started.map((app) => app.stop()));
      await platform.close();
      await room.close();
    }
  },
};

async function replicas(apps: readonly App[], of: (app: App) => Promise<readonly BenchApp[]>): Promise<Replicas> {
  const found: [App, readonly BenchApp[]][] = [];
  for (const app of apps) found.push([app, await of(app)]);
  return Object.fromEntries(found) as Replicas;
}

/** Median rates of deliveries to events, and of products to results. */
async function rounds(
  of: Replicas,
  events: Arrivals,
  results: Arrivals,
  producer: BenchRoom['producer'],
): Promise<Rates> {
  const [delivered, loaded]: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    delivered!.push(await deliver(of['webhook-ingest'], events));
    loaded!.push(await load(producer, results));
  }
  return { events: median(delivered!), products: median(loaded!) };
}

/** Delivers orders to the webhook of each replica, and returns the rate of their events. */
async function deliver(ingests: readonly BenchApp[], events: Arrivals): Promise<number> {
  const known = events.at.size;
  const startedAt = performance.now();
  const requests = DELIVERIES / ingests.length;
  await Promise.all(
    ingests.map(({ url }, index) => {
      const args = [requests, CONNECTIONS / ingests.length, known + index * requests].map(String);
      return promisify(execFile)(process.execPath, [LOAD, url, SECRET, ...args]);
    }),
  );
  const goal = known + DELIVERIES;
  await waitFor(() => events.at.size >= goal, { describe: `${goal} events`, timeoutMs: LIMIT_MS });
  return (DELIVERIES * 1_000) / (performance.now() - startedAt);
}

/** Loads products, and returns the rate of their results. */
async function load(producer: BenchRoom['producer'], results: Arrivals): Promise<number> {
  const name = `load-${results.at.size}`;
  const indices = Array.from({ length: LOADED_PRODUCTS }, (_, index) => index);
  const startedAt = performance.now();
  await producer.send({ topic: PRODUCTS, messages: indices.map((index) => productRecord(name, index)) });
  await waitFor(() => indices.every((index) => results.at.has(recordId(name, index))), {
    describe: `${LOADED_PRODUCTS} results`,
    timeoutMs: LIMIT_MS,
  });
  return (LOADED_PRODUCTS * 1_000) / (performance.now() - startedAt);
}

async function cpuOf(of: Replicas): Promise<Readonly<Record<App, number>>> {
  const found: [App, number][] = [];
  for (const app of APPS) found.push([app, await cpuSeconds(of[app][0]!)]);
  return Object.fromEntries(found) as Record<App, number>;
}

async function sayWork(of: Replicas, before: Readonly<Record<App, number>>, say: Say): Promise<void> {
  say(`after ${ROUNDS} rounds of ${DELIVERIES} deliveries and ${LOADED_PRODUCTS} products`);
  const after = await cpuOf(of);
  for (const app of APPS) {
    const spent = (after[app] - before[app]).toFixed(1);
    const [memory, connections] = [await memoryOf(of[app][0]!), await connectionsOf(of[app][0]!)];
    say(`  ${app.padEnd(24)} ${memory} resident, ${connections} connections, ${spent} s of a core`);
  }
}

function sayRates(who: string, { events, products }: Rates, say: Say): void {
  const [orders, loaded] = [events.toFixed(0), products.toFixed(0)];
  say(`${who}: ${orders} order events/s from the webhook, ${loaded} products/s from their topic to their results`);
}

async function memoryOf({ pid }: BenchApp): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return `${Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / MEGABYTE_IN_KILOBYTES)} MB`;
}

/** Connections to PostgreSQL, used or idle. */
async function connectionsOf({ url }: BenchApp): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const found = metrics.matchAll(/^gondola_database_connections\{[^}]*state="(?:used|idle)"[^}]*\} (\d+)/gm);
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0);
}
