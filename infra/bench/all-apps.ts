import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '@gondola/local-stack/wait-for';
import { type BenchApp, startBenchApp } from './bench-app.ts';
import { type Arrivals, openRoom, watchArrivals } from './bench-room.ts';
import type { BenchStack } from './bench.ts';
import { productRecord, recordId } from './catalog-records.ts';
import { NO_RECOVERY, NOTIFICATIONS, publishSkus } from './order-messages.ts';
import { StubPlatform } from './stub-platform.ts';
import { SECRET } from './tenant.ts';

const LOAD = fileURLToPath(new URL('./load.main.ts', import.meta.url));
const PRODUCTS = 'erp.catalog.products.v1';
const CONNECTIONS = 48;
const LIMIT_MS = 300_000;

export const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway'] as const;
export const DELIVERIES = 6_000;
export const LOADED_PRODUCTS = 3_000;

export type App = (typeof APPS)[number];

/** All apps on one machine, each with its replicas, and work that goes the whole way through them. */
export type AllApps = Awaited<ReturnType<typeof startAllApps>>;

/** Starts one replica of each app. */
export async function startAllApps(stack: BenchStack) {
  const room = await openRoom(stack, [NOTIFICATIONS, PRODUCTS]);
  const platform = await StubPlatform.start(room);
  const replicas: Record<App, BenchApp[]> = {
    'webhook-ingest': [],
    'order-command-handler': [],
    'catalog-publisher': [],
    'file-gateway': [],
  };
  const watched: Arrivals[] = [];

  const close = async (): Promise<void> => {
    await Promise.all(watched.map((arrivals) => arrivals.stop()));
    await Promise.all(APPS.flatMap((app) => replicas[app].map((replica) => replica.stop())));
    await platform.close();
    await room.close();
  };

  /** Starts as many replicas of each app as are missing. */
  const growTo = async (count: number): Promise<void> => {
    for (const app of APPS) {
      while (replicas[app].length < count) {
        const platformOfTenant = { baseUrl: platform.url, concurrency: 16 };
        const tenant = { recovery: NO_RECOVERY };
        replicas[app].push(await startBenchApp(stack, { app, platform: platformOfTenant, tenant }));
      }
    }
  };

  try {
    await growTo(1);
    const events = await watchArrivals(room, 'erp.orders.events.v1');
    const results = await watchArrivals(room, 'erp.catalog.results.v1', 'command');
    watched.push(events, results);
    await publishSkus(room);
    return {
      room,
      replicas,
      growTo,
      /** Delivers orders to the webhook of each replica, and returns the rate of their events. */
      deliver: () => deliver(replicas['webhook-ingest'], events),
      /** Loads products, and returns the rate of their results. */
      load: async () => {
        const name = `load-${results.at.size}`;
        const indices = Array.from({ length: LOADED_PRODUCTS }, (_, index) => index);
        const startedAt = performance.now();
        await room.producer.send({ topic: PRODUCTS, messages: indices.map((index) => productRecord(name, index)) });
        await waitFor(() => indices.every((index) => results.at.has(recordId(name, index))), {
          describe: `${LOADED_PRODUCTS} results`,
          timeoutMs: LIMIT_MS,
        });
        return (LOADED_PRODUCTS * 1_000) / (performance.now() - startedAt);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

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
