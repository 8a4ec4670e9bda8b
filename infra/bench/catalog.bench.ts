import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { Bench, Say, Servers } from './bench.ts';
import { percentile } from './percentile.ts';
import { type Producer, StubPlatform } from './stub-platform.ts';
import type { Verdict } from './verdict.ts';

const FEW = 2_000;
const MANY = 20_000;
const TARGET_PER_SECOND = 1_000;
const TARGET_PRICE_P99_MS = 2_000;
const PRICES_PER_SECOND = 20;
const PRICED_SKUS = 100;
const PRICES_ALONE_MS = 5_000;
/** So that no value comes twice. */
const FIRST_PRICE_OF_LOAD = 1_000_000;
/** The larger load may have so much more at its highest. */
const MOST_MEMORY_RATIO = 1.5;
const SAMPLE_MS = 100;
const LIMIT_MS = 900_000;
const PRODUCED_AT_ONCE = 500;
const PREFIX = 'bench-catalog-';
const APP_FOLDER = join(import.meta.dirname, '../../apps/catalog-publisher');
const POLICY = '22222222-2222-4222-8222-222222222222';
const KILOBYTE = 1_024;

/** One load, from the first record produced to the last result in a consumer's hands. */
interface Load {
  readonly name: string;
  readonly products: number;
  readonly perSecond: number;
  readonly peakBytes: number;
}

/**
 * Gondola's own part of a load of the catalog: records on the topic, a platform that answers and notifies at once,
 * results and SKUs on their topics. Figures are shown; that ten times the products take at most half more memory is
 * checked.
 */
export const catalogBench: Bench = {
  name: 'catalog',
  run: async (servers, say) => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-catalog-'));
    const logger = createLogger({ app: 'bench', level: 'error' });
    const kafka = createKafka({ brokers: servers.kafkaBrokers.split(','), ssl: false }, 'bench-catalog', logger);
    const producer = kafka.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    const platform = await StubPlatform.start(producer, `${PREFIX}platform.notifications.catalog.v1`);
    const app = await startPublisher(servers, folder, platform.url);
    const results = await watchResults(kafka);
    try {
      const bench = { app, platform, producer, results, say };
      const few = await load(bench, 'few', FEW);
      await waitFor(() => platform.reads >= FEW, { describe: 'the SKUs of the first load', timeoutMs: LIMIT_MS });
      const alone = changePrices(bench, 0);
      await sleep(PRICES_ALONE_MS);
      sayDelays('price changes alone', await alone.end(), say);
      const changing = changePrices(bench, FIRST_PRICE_OF_LOAD);
      const many = await load(bench, 'many', MANY);
      const p99 = sayDelays('price changes while it runs', await changing.end(), say);
      return [...verdictsOf(few, many), priceVerdict(p99)];
    } finally {
      await results.close();
      await app.stop();
      await platform.stop();
      await producer.disconnect();
      await rm(folder, { recursive: true });
    }
  },
};

interface Running {
  readonly app: ChildApp & { readonly url: string };
  readonly platform: StubPlatform;
  readonly producer: Producer;
  readonly results: Results;
  readonly say: Say;
}

async function startPublisher(
  servers: Servers,
  folder: string,
  baseUrl: string,
): Promise<ChildApp & { readonly url: string }> {
  const tenantsFile = join(folder, 'tenants.json');
  const platform = { baseUrl, username: 'bench', password: { env: 'PLATFORM_PASSWORD' }, concurrency: 16 };
  const tenant = { id: 'bench', contractAccountId: '11111111-1111-4111-8111-111111111111', platform };
  await writeFile(tenantsFile, JSON.stringify({ tenants: [tenant] }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildApp({
    name: 'catalog-publisher',
    args: ['dist/main.js'],
    cwd: APP_FOLDER,
    env: {
      HTTP_PORT: String(port),
      KAFKA_BROKERS: servers.kafkaBrokers,
      DATABASE_URL: servers.databaseUrl,
      TOPIC_PREFIX: PREFIX,
      TOPIC_PARTITIONS: '3',
      TENANTS_FILE: tenantsFile,
      LOG_LEVEL: 'error',
      PLATFORM_PASSWORD: 'platform-password',
    },
    logFile: join(folder, 'catalog-publisher.log'),
    readyUrl: `${url}/health/ready`,
  });
  return { ...child, url };
}

interface Results {
  /** When the result of a record came, by its id. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

async function watchResults(kafka: ReturnType<typeof createKafka>): Promise<Results> {
  const consumer = kafka.consumer({ groupId: `${PREFIX}${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: `${PREFIX}erp.catalog.results.v1`, fromBeginning: true });
  const arrivals = new Map<string, number>();
  await consumer.run({
    eachBatch: async ({ batch }) => {
      const now = performance.now();
      for (const { headers } of batch.messages) arrivals.set(String(headers?.['ce_commandid']), now);
    },
  });
  return { arrivals, close: () => consumer.disconnect() };
}

async function load(bench: Running, name: string, products: number): Promise<Load> {
  const { app, platform, producer, results, say } = bench;
  const cpuBefore = await cpuSeconds(app.url);
  const { posts, reads } = platform;
  const memory = samplePeak(app.pid);
  const startedAt = performance.now();
  const topic = `${PREFIX}erp.catalog.products.v1`;
  for (let from = 0; from < products; from += PRODUCED_AT_ONCE) {
    const count = Math.min(PRODUCED_AT_ONCE, products - from);
    await producer.send({ topic, messages: Array.from({ length: count }, (_, at) => productRecord(name, from + at)) });
  }
  const producedMs = performance.now() - startedAt;
  const ids = Array.from({ length: products }, (_, index) => recordId(name, index));
  await waitFor(() => ids.every((id) => results.arrivals.has(id)), {
    describe: `the results of ${products} products`,
    timeoutMs: LIMIT_MS,
  });
  const endedAt = ids.reduce((latest, id) => Math.max(latest, results.arrivals.get(id) ?? 0), 0);
  const peakBytes = await memory.end();
  const seconds = (endedAt - startedAt) / 1_000;
  const cpu = (await cpuSeconds(app.url)) - cpuBefore;
  const postedS = (platform.lastPostAt - startedAt) / 1_000;
  say(`${products} products: ${Math.round(products / seconds)} products/s, memory at most ${megabytes(peakBytes)}`);
  const rows: readonly (readonly [string, string])[] = [
    ['produced by', `${(producedMs / 1_000).toFixed(1)} s`],
    ['last batch posted', `${postedS.toFixed(1)} s`],
    ['last result read', `${seconds.toFixed(1)} s`],
    [
      'processor time of catalog-publisher',
      `${cpu.toFixed(1)} s, ${((cpu * 1_000) / products).toFixed(2)} ms a product`,
    ],
    [
      'batches',
      `${platform.posts - posts}, ${Math.round(products / Math.max(1, platform.posts - posts))} products each`,
    ],
    ['products read back for their SKUs meanwhile', String(platform.reads - reads)],
  ];
  for (const [what, figure] of rows) say(`  ${what.padEnd(44)} ${figure}`);
  return { name, products, perSecond: products / seconds, peakBytes };
}

function verdictsOf(few: Load, many: Load): Verdict[] {
  return [
    {
      what: `${TARGET_PER_SECOND} products/s (4 idle cores; here ${availableParallelism()}) : load of ${MANY}`,
      measured: many.perSecond / TARGET_PER_SECOND,
      target: 1,
      atLeast: null,
    },
    {
      what: `memory of a load of ${FEW} : of ${MANY}`,
      measured: few.peakBytes / many.peakBytes,
      target: 0.9,
      atLeast: 1 / MOST_MEMORY_RATIO,
    },
  ];
}

/** Prices of SKUs of the first load, at a steady rate until `end`, which answers how long each took to the platform. */
function changePrices({ producer, platform }: Running, first: number): { end: () => Promise<number[]> } {
  const sentAt = new Map<string, number>();
  const over = new AbortController();
  const topic = `${PREFIX}erp.catalog.prices.v1`;
  const sending = (async () => {
    for (let index = first; !over.signal.aborted; index += 1) {
      const price = `${index + 1}.00`;
      const externalReference = `few-${index % PRICED_SKUS}-0`;
      const value = JSON.stringify({ externalReference, policy: POLICY, data: { price } });
      sentAt.set(price, performance.now());
      await producer.send({ topic, messages: [{ key: externalReference, value }] });
      await sleep(1_000 / PRICES_PER_SECOND);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await sending;
      // A value that a newer one of its SKU overtook is never posted: the newest of all is.
      const last = [...sentAt.keys()].slice(-PRICED_SKUS);
      await waitFor(() => last.every((price) => platform.prices.has(price)), {
        describe: 'the last prices',
        timeoutMs: LIMIT_MS,
      });
      return [...sentAt].flatMap(([price, sent]) => {
        const arrived = platform.prices.get(price);
        return arrived === undefined ? [] : [arrived - sent];
      });
    },
  };
}

/** Says them, and answers the one that hardly any exceeds, in milliseconds. */
function sayDelays(what: string, delays: readonly number[], say: Say): number {
  const sorted = delays.toSorted((a, b) => a - b);
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(sorted, share));
  say(`${what}: ${delays.length}, p50 ${p50?.toFixed(0)} ms, p99 ${p99?.toFixed(0)} ms, most ${most?.toFixed(0)} ms`);
  return p99 ?? Number.NaN;
}

function priceVerdict(p99: number): Verdict {
  return {
    what: `${TARGET_PRICE_P99_MS} ms : p99 of a price from the topic to the platform's door`,
    measured: TARGET_PRICE_P99_MS / p99,
    target: 1,
    atLeast: null,
  };
}

function recordId(load: string, index: number): string {
  return `${load}-${index}`;
}

/** Three SKUs for two products. */
function productRecord(load: string, index: number) {
  const externalReference = `${load}-${index}`;
  const skus = Array.from({ length: 1 + (index % 2) }, (_, place) => sku(`${externalReference}-${place}`));
  const value = {
    externalReference,
    recordId: recordId(load, index),
    commercialPolicyId: POLICY,
    name: `Queijo Minas Frescal ${externalReference}`,
    slug: `queijo-minas-frescal-${externalReference}`,
    title: `Queijo Minas Frescal ${externalReference}`,
    shortDescription: 'Queijo minas frescal, peça de meio quilo',
    longDescription: 'Queijo minas frescal, peça de meio quilo, da Serra da Canastra. '.repeat(5),
    punctuation: 10,
    skus,
  };
  return { key: externalReference, value: JSON.stringify(value) };
}

function sku(externalReference: string) {
  const measures = ['weight', 'height', 'width', 'length'].flatMap((each) => [`${each}ForFreight`, `${each}Real`]);
  return {
    externalReference,
    name: 'Peça',
    ean: '7891000100103',
    reference: externalReference,
    unitOfMeasurement: 'Kg',
    arithmeticFactor: '0.1',
    arrivalDate: '2026-01-01',
    manufacturerCode: 'QMF',
    ...Object.fromEntries(measures.map((each) => [each, 1])),
  };
}

/** The most memory that a process has resident until `end`. */
function samplePeak(pid: number): { end: () => Promise<number> } {
  let peak = 0;
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
      peak = Math.max(peak, kilobytes * KILOBYTE);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await sampling;
      return peak;
    },
  };
}

async function cpuSeconds(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total(?:\{.*\})? ([\d.e+-]+)/m.exec(metrics)?.[1] ?? Number.NaN);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / KILOBYTE / KILOBYTE)} MB`;
}
