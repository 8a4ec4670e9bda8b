import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@gondola/local-stack/free-port';
import { waitFor } from '@gondola/local-stack/wait-for';
import { type BenchApp, cpuSeconds, startBenchApp } from './bench-app.ts';
import { type Arrivals, type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import { type Bench, type Say, sayDelays } from './bench.ts';
import { POLICY, productRecord, recordId } from './catalog-records.ts';
import type { Verdict } from './contest.ts';
import { LiveHeap } from './live-heap.ts';
import { changePrices } from './price-changes.ts';
import { StubPlatform } from './stub-platform.ts';
import { between, costOf, countStatements, type Usage, usageOf } from './usage.ts';

const PRODUCTS = 'erp.catalog.products.v1';
const FEW = 2_000;
const TARGET_PER_SECOND = 1_000;
const TARGET_PRICE_P99_MS = 300;
/** A load lasts so many times longer than a price beside it takes. */
const LEAST_PRICE_LEAD = 20;
const PRICES_ALONE_MS = 5_000;
/** Starts the prices high, so that no value occurs twice. */
const FIRST_PRICE_OF_LOAD = 1_000_000;
const FIRST_PRICE_THAT_WAITS = 10_000_000;
/** Most live heap in the larger load, relative to the smaller one. */
const MOST_HEAP_RATIO = 1.15;
/**
 * Most resident memory in the larger load. It includes garbage that V8 has not collected yet. V8 lets that grow with
 * the memory that the machine has, so that its ratio says nothing of what the app holds.
 */
const MOST_RESIDENT_BYTES = 768 * 1_024 ** 2;
/** Shares of a load's results at whose arrival memory is measured. */
const MEMORY_AT = [0.1, 0.5, 0.9];
const SAMPLE_MS = 100;
/** Longer than any pause of the app's own tasks that look for what waits. */
const RESTED_MS = 70_000;
const SETTLED_MS = 40_000;
const LIMIT_MS = 900_000;
const PRODUCED_AT_ONCE = 500;
const KILOBYTE = 1_024;

/** One load, from its first produced record to its last result at a consumer. */
interface Load {
  readonly name: string;
  readonly products: number;
  readonly perSecond: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/** Memory of the app when some of a load's results had arrived. */
interface Memory {
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/**
 * Gondola's share of a load of the catalog: records on the topic, a platform that answers and notifies at once,
 * results and SKUs on their topics. Then as many prices come whose products do not, and products of some of them.
 * Figures are shown; that a load of so many products holds no more memory than a small one, and that a price does not
 * wait for the load, are checked.
 */
export const catalogBench = (products: number): Bench => ({
  name: 'catalog',
  run: async (servers, say) => {
    await countStatements(servers);
    const room = await openRoom(servers, [PRODUCTS]);
    const platform = await StubPlatform.start(room);
    const inspectorPort = await freePort();
    const app = await startBenchApp(servers, {
      app: 'catalog-publisher',
      platform: { baseUrl: platform.url, concurrency: 16 },
      nodeOptions: [`--inspect=127.0.0.1:${inspectorPort}`],
    });
    const heap = await LiveHeap.of(inspectorPort);
    const results = await watchArrivals(room, 'erp.catalog.results.v1', 'command');
    try {
      const bench = { app, heap, platform, producer: room.producer, results, say };
      const few = await load(bench, 'few', FEW);
      await waitFor(() => platform.reads >= FEW, { describe: 'the SKUs of the first load', timeoutMs: LIMIT_MS });
      const alone = changePrices(bench, 0);
      await sleep(PRICES_ALONE_MS);
      sayDelays('price changes alone', await alone.end(), say);
      const changing = changePrices(bench, FIRST_PRICE_OF_LOAD);
      const before = await usageOf(app.pid, servers, room.database);
      const startedAt = performance.now();
      const many = await load(bench, 'many', products);
      const p99 = sayDelays('price changes while it runs', await changing.end(), say);
      await waitFor(() => platform.reads >= FEW + products, { describe: 'the SKUs', timeoutMs: LIMIT_MS });
      const seconds = (performance.now() - startedAt) / 1_000;
      const usage = () => usageOf(app.pid, servers, room.database);
      say(`all SKUs read: ${seconds.toFixed(1)} s, ${Math.round(products / seconds)} products/s`);
      say(`each product, with the price changes beside it: ${costOf(between(before, await usage()), products)}`);
      await pricesThatWait(bench, products, usage);
      return [...verdictsOf(few, many), ...priceVerdicts(p99, many)];
    } finally {
      await results.stop();
      // Node.js does not exit while its inspector has a client.
      heap.close();
      await app.stop();
      await platform.close();
      await room.close();
    }
  },
});

interface Running {
  readonly app: BenchApp;
  readonly heap: LiveHeap;
  readonly platform: StubPlatform;
  readonly producer: BenchRoom['producer'];
  readonly results: Arrivals;
  readonly say: Say;
}

async function load(bench: Running, name: string, products: number): Promise<Load> {
  const { app, platform, producer, results, say } = bench;
  const cpuBefore = await cpuSeconds(app);
  const { posts, reads } = platform;
  const resident = samplePeak(app.pid);
  const startedAt = performance.now();
  for (let from = 0; from < products; from += PRODUCED_AT_ONCE) {
    const count = Math.min(PRODUCED_AT_ONCE, products - from);
    const messages = Array.from({ length: count }, (_, at) => productRecord(name, from + at));
    await producer.send({ topic: PRODUCTS, messages });
  }
  const producedMs = performance.now() - startedAt;
  const ids = Array.from({ length: products }, (_, index) => recordId(name, index));
  const memory = await memoryDuring(bench, ids);
  await allResults(bench, ids);
  const endedAt = ids.reduce((latest, id) => Math.max(latest, results.at.get(id) ?? 0), 0);
  const residentBytes = await resident.end();
  const seconds = (endedAt - startedAt) / 1_000;
  const cpu = (await cpuSeconds(app)) - cpuBefore;
  const postedS = (platform.lastPostAt - startedAt) / 1_000;
  say(`${products} products: ${Math.round(products / seconds)} products/s`);
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
    [
      `live heap, after a full collection, at ${MEMORY_AT.join(', ')} of it`,
      memory.map((each) => megabytes(each.heapBytes)).join(', '),
    ],
    ['resident memory, garbage included, then', memory.map((each) => megabytes(each.residentBytes)).join(', ')],
    ['  at most', megabytes(residentBytes)],
  ];
  for (const [what, figure] of rows) say(`  ${what.padEnd(44)} ${figure}`);
  const heapBytes = Math.max(...memory.map((each) => each.heapBytes));
  return { name, products, perSecond: products / seconds, heapBytes, residentBytes };
}

function verdictsOf(few: Load, many: Load): Verdict[] {
  return [
    {
      what: `${TARGET_PER_SECOND} products/s (2 idle cores; here ${availableParallelism()}) : load of ${many.products}`,
      measured: many.perSecond / TARGET_PER_SECOND,
      target: 1,
      atLeast: null,
    },
    {
      what: `live heap in a load of ${FEW} : of ${many.products}`,
      measured: few.heapBytes / many.heapBytes,
      target: 1,
      atLeast: 1 / MOST_HEAP_RATIO,
    },
    {
      what: `${megabytes(MOST_RESIDENT_BYTES)} : resident memory in a load of ${many.products}`,
      measured: MOST_RESIDENT_BYTES / many.residentBytes,
      target: 1.5,
      atLeast: 1,
    },
  ];
}

function priceVerdicts(p99: number, { products, perSecond }: Load): Verdict[] {
  return [
    {
      what: `${TARGET_PRICE_P99_MS} ms : p99 of a price from the topic to the platform's door`,
      measured: TARGET_PRICE_P99_MS / p99,
      target: 1,
      atLeast: null,
    },
    {
      what: `duration of the load of ${products} : p99 of a price beside it`,
      measured: ((products / perSecond) * 1_000) / p99,
      target: 60,
      atLeast: LEAST_PRICE_LEAD,
    },
  ];
}

/** The app's memory while the results of these records arrive. */
async function memoryDuring(bench: Running, ids: readonly string[]): Promise<Memory[]> {
  const memory: Memory[] = [];
  for (const share of MEMORY_AT) {
    await allResults(bench, ids.slice(0, share * ids.length));
    const residentBytes = await residentOf(bench.app.pid);
    memory.push({ residentBytes, heapBytes: await bench.heap.bytes() });
  }
  return memory;
}

async function allResults({ results }: Running, ids: readonly string[]): Promise<void> {
  let arrived = 0;
  const all = (): boolean => {
    while (arrived < ids.length && results.at.has(ids[arrived]!)) arrived += 1;
    return arrived === ids.length;
  };
  await waitFor(all, { describe: `the results of ${ids.length} records`, timeoutMs: LIMIT_MS });
}

/** Cost of prices whose products have not come: to take them in, at rest, and when some of the products come. */
async function pricesThatWait(bench: Running, count: number, usage: () => Promise<Usage>): Promise<void> {
  const { producer, platform, results, say } = bench;
  const begun = await usage();
  for (let from = 0; from < count; from += PRODUCED_AT_ONCE) {
    const messages = Array.from({ length: Math.min(PRODUCED_AT_ONCE, count - from) }, (_, at) => {
      const [externalReference, data] = [`late-${from + at}-0`, { price: latePrice(from + at) }];
      const recordId = `price-${from + at}`;
      return {
        key: externalReference,
        value: JSON.stringify({ recordId, externalReference, policy: POLICY, data }),
      };
    });
    await producer.send({ topic: 'erp.catalog.prices.v1', messages });
  }
  const waiting = Array.from({ length: count }, (_, index) => `price-${index}`);
  await allResults(bench, waiting);
  await sleep(SETTLED_MS);
  const before = await usage();
  say(`each of ${count} prices that begin to wait: ${costOf(between(begun, before), count)}`);
  await sleep(RESTED_MS);
  const used = between(before, await usage());
  const seconds = RESTED_MS / 1_000;
  const perSecond = (value: number, digits: number): string => (value / seconds).toFixed(digits);
  say(
    `at rest: ${perSecond(used.statements, 1)} statements a second; processor ms a second: app ` +
      `${perSecond(used.appMs, 2)}, PostgreSQL ${perSecond(used.postgresMs, 2)}`,
  );
  const woken = Math.min(FEW, count);
  await producer.send({
    topic: PRODUCTS,
    messages: Array.from({ length: woken }, (_, index) => productRecord('late', index)),
  });
  const products = Array.from({ length: woken }, (_, index) => index);
  await waitFor(() => products.every((index) => platform.prices.has(latePrice(index))), {
    describe: 'the prices whose products came',
    timeoutMs: LIMIT_MS,
  });
  const delays = products.map(
    (index) => platform.prices.get(latePrice(index))! - results.at.get(recordId('late', index))!,
  );
  sayDelays('from the result of a product to the price that waited for it', delays, say);
}

const latePrice = (index: number): string => `${FIRST_PRICE_THAT_WAITS + index}.00`;

/** The largest resident memory of a process until `end`. */
function samplePeak(pid: number): { end: () => Promise<number> } {
  let peak = 0;
  const over = new AbortController();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, await residentOf(pid));
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

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * KILOBYTE;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / KILOBYTE / KILOBYTE)} MB`;
}
