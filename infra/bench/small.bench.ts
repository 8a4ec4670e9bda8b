import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readProcesses } from '@gondola/local-stack/process-table';
import { peakBytes } from '@gondola/local-stack/testing/peak-memory';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';
import { parse } from 'yaml';
import { type Bench, type BenchStack, type Say, sayDelays } from './bench.ts';
import { type BenchApp, startBenchApp } from './bench-app.ts';
import { type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import { productRecord, recordId } from './catalog-records.ts';
import { ControlGroup } from './control-group.ts';
import { NO_RECOVERY, NOTIFICATIONS, publishSkus } from './order-messages.ts';
import { changePrices } from './price-changes.ts';
import { StubPlatform } from './stub-platform.ts';
import { SECRET } from './tenant.ts';

const SMALL = join(import.meta.dirname, '../compose/small.yaml');
const LOAD = fileURLToPath(new URL('./load.main.ts', import.meta.url));
const PRODUCTS = 'erp.catalog.products.v1';
const APPS = ['webhook-ingest', 'order-command-handler', 'catalog-publisher', 'file-gateway', 'console'] as const;
const MEBIBYTE = 2 ** 20;
const ALL_BYTES = 2_048 * MEBIBYTE;
const PRICED = 100;
const LOADED = 30_000;
const PRODUCED_AT_ONCE = 500;
const ORDERS = 800;
const ORDERS_AT_ONCE = 4;
const FIRST_PRICE = 1_000_000;
const TARGET_PRICE_P99_MS = 500;
const LIMIT_MS = 1_800_000;

interface SmallService {
  readonly mem_limit: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}
type App = (typeof APPS)[number];
type Started = Awaited<ReturnType<typeof StubPlatform.start>>;
type Services = Readonly<Record<string, SmallService>>;

/**
 * The small shop of infra/compose/small.yaml, with its limits of memory, on two cores: a load of products, the day's
 * orders and prices beside it. Nothing may be lost, and Linux may end no process for its memory; that is checked where
 * control groups can be made, and not measured elsewhere. The load and the platform are outside. Needs `npm run build`.
 */
export const smallBench: Bench = {
  name: 'small',
  run: async (servers, say) => {
    const group = await ControlGroup.createIfPossible('gondola-small', ALL_BYTES);
    if (group === null) {
      say('not measured: this machine, or this user, can make no control groups');
      return [];
    }
    const { services } = parse(await readFile(SMALL, 'utf8')) as { services: Services };
    const apps = new Map<App, BenchApp>();
    const closing = new AsyncDisposableStack();
    try {
      const inside = await limited(servers, services, group);
      const room = await openRoom(servers, [NOTIFICATIONS, PRODUCTS]);
      closing.defer(() => room.close());
      const platform = await StubPlatform.start(room);
      closing.defer(() => platform.close());
      for (const app of APPS) apps.set(app, await inside(app, () => start(servers, app, platform, services[app]!)));
      const ended = [...apps].map(async ([app, { exited }]): Promise<never> => {
        const { code, signal } = await exited;
        throw new Error(`${app} ended during the day: ${signal ?? code}`);
      });
      const p99 = await Promise.race([day(room, platform, apps.get('webhook-ingest')!.url, say), ...ended]);
      await sayMemory(servers, apps, services, say);
      const killed = await group.kills();
      const peak = Math.round((await group.peakBytes()) / MEBIBYTE);
      say(
        `  all of them              ${peak} MiB at most, files that they have read included, on ${availableParallelism()} cores`,
      );
      say(`Linux ended ${killed} processes for their memory`);
      return [
        { what: 'no process ended for its memory', measured: killed === 0 ? 1 : 0, target: 1, atLeast: 1 },
        {
          what: `${TARGET_PRICE_P99_MS} ms : p99 of a price beside the load`,
          measured: TARGET_PRICE_P99_MS / p99,
          target: 1,
          atLeast: null,
        },
      ];
    } finally {
      for (const app of apps.values()) await app.stop();
      await closing.disposeAsync();
      await servers.kafka?.kill();
      await servers.postgres?.kill();
      await group.remove();
    }
  },
};

type Inside = <T>(service: string, begin: () => Promise<T>) => Promise<T>;

/**
 * Starts Kafka and PostgreSQL anew with their limits, and returns what starts a process with the limit of its service:
 * it is in the group in which its supervisor is at that moment.
 */
async function limited(servers: BenchStack, services: Services, group: ControlGroup): Promise<Inside> {
  const kafka = servers.kafka!;
  const postgres = servers.postgres!;
  const supervisor = readProcesses().find(({ pid }) => pid === kafka.pid)!.parent;
  const inside: Inside = async (service, begin) => {
    const inner = await group.inner(service, limitOf(services[service]!));
    await inner.take(supervisor);
    try {
      return await begin();
    } finally {
      await group.release(supervisor);
    }
  };
  await inside('kafka', () => kafka.restart());
  await settle(servers.databaseUrl, services['postgres']!);
  await inside('postgres', () => postgres.restart());
  return inside;
}

/** Settings of PostgreSQL that its command has, for its next start. */
async function settle(connectionString: string, { command = [] }: SmallService): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  for (const setting of command.filter((word) => word.includes('='))) {
    const [name = '', value = ''] = setting.split('=');
    await client.query(`ALTER SYSTEM SET ${client.escapeIdentifier(name)} = ${client.escapeLiteral(value)}`);
  }
  await client.end();
}

async function start(
  servers: BenchStack,
  app: App,
  { url: baseUrl }: Started,
  { environment = {} }: SmallService,
): Promise<BenchApp> {
  const nowhere = 'http://127.0.0.1:9';
  const others = APPS.map((name) => [`GONDOLA_${name.toUpperCase().replaceAll('-', '_')}_URL`, nowhere]);
  const ofConsole = {
    OPERATIONS_TOKEN: SECRET,
    CONSOLE_URL: nowhere,
    CONSOLE_LINK_SECRET: SECRET,
    ...Object.fromEntries(others),
  };
  return await startBenchApp(servers, {
    app,
    isBuilt: true,
    platform: { baseUrl, concurrency: 4 },
    tenant: { recovery: NO_RECOVERY },
    env: { ...environment, ...(app === 'console' && ofConsole) },
  });
}

/** A load of products with the orders of a day and changes of prices beside it; returns the p99 of these. */
async function day(room: BenchRoom, platform: StubPlatform, webhook: string, say: Say): Promise<number> {
  const { producer } = room;
  const events = await watchArrivals(room, 'erp.orders.events.v1');
  const results = await watchArrivals(room, 'erp.catalog.results.v1', 'command');
  const load = async (name: string, products: number): Promise<void> => {
    const indices = Array.from({ length: products }, (_, index) => index);
    for (let from = 0; from < products; from += PRODUCED_AT_ONCE) {
      const messages = indices.slice(from, from + PRODUCED_AT_ONCE).map((index) => productRecord(name, index));
      await producer.send({ topic: PRODUCTS, messages });
    }
    const isDone = () => results.at.size >= products && indices.every((index) => results.at.has(recordId(name, index)));
    await waitFor(isDone, { describe: `${products} results`, timeoutMs: LIMIT_MS });
  };
  try {
    await publishSkus(room);
    await load('few', PRICED);
    const changing = changePrices({ platform, producer }, FIRST_PRICE);
    const startedAt = performance.now();
    const loaded = load('many', LOADED);
    const args = [LOAD, webhook, SECRET, ORDERS, ORDERS_AT_ONCE].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, args);
    await waitFor(() => events.at.size >= ORDERS, { describe: `${ORDERS} events`, timeoutMs: LIMIT_MS });
    const orderSeconds = (performance.now() - startedAt) / 1_000;
    await loaded;
    const seconds = (performance.now() - startedAt) / 1_000;
    say(`${ORDERS} orders delivered, each an event, in ${orderSeconds.toFixed(0)} s: ${stdout.trim()}`);
    say(`${LOADED} products, each with its result, in ${seconds.toFixed(0)} s: ${Math.round(LOADED / seconds)}/s`);
    return sayDelays('price changes beside the load', await changing.end(), say);
  } finally {
    await Promise.all([events.stop(), results.stop()]);
  }
}

async function sayMemory(
  { kafka }: BenchStack,
  apps: ReadonlyMap<App, BenchApp>,
  services: Services,
  say: Say,
): Promise<void> {
  const pids = new Map([['kafka', kafka!.pid], ...[...apps].map(([app, { pid }]) => [app, pid] as const)]);
  for (const [service, pid] of pids) {
    const [peak, limit] = [peakBytes(pid), limitOf(services[service]!)].map((bytes) => Math.round(bytes / MEBIBYTE));
    say(`  ${service.padEnd(24)} ${peak} MiB at most, of ${limit}`);
  }
}

function limitOf({ mem_limit: limit }: SmallService): number {
  return Number.parseInt(limit, 10) * MEBIBYTE;
}
