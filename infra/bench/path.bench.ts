import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '@gondola/local-stack/wait-for';
import { type Bench, sayDelays } from './bench.ts';
import { type BenchApp, startBenchApp } from './bench-app.ts';
import { type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import { type Candidate, hold, ratio, type Verdict } from './contest.ts';
import { NOTIFICATIONS } from './order-messages.ts';
import { OrderNotifications } from './order-notifications.ts';
import { SECRET } from './tenant.ts';
import { between, costOf, usageOf } from './usage.ts';

const BARE = new URL('../../apps/webhook-ingest/test/bench/bare-server.main.ts', import.meta.url);
const HAND_MADE = new URL('../../apps/webhook-ingest/test/bench/hand-made.main.ts', import.meta.url);
const LOAD = fileURLToPath(new URL('./load.main.ts', import.meta.url));
/** A topic of the services by hand; it only has to exist. */
const HAND_MADE_TOPIC = 'platform.notifications.users.v1';
const ROUNDS = 3;
const COLD = 10_000;
const MANY = 64;
const FEW = 8;
const LIMIT_MS = 120_000;
const CALM = { perSecond: 200, deliveries: 2_000 };
const TARGET_P99_MS = 25;
const MS_PER_SECOND = 1_000;

/** Deliveries to one server: over how many connections, and each notification how often. */
interface Way {
  readonly name: string;
  readonly app: BenchApp;
  /** Topic on which each notification has to arrive; null if it goes nowhere. */
  readonly topic: typeof NOTIFICATIONS | typeof HAND_MADE_TOPIC | null;
  readonly deliveries: number;
  readonly connections: number;
  readonly times?: number;
}

/**
 * The whole path of a notification of 6 kB: delivered, committed, on the topic with all its acks, and drained at the
 * end of each round. Beside it a bare server that stores nothing, and a service as one would write it by hand. Shown,
 * never checked.
 */
export const pathBench: Bench = {
  name: 'path',
  run: async (stack, say) => {
    const room = await openRoom(stack, [NOTIFICATIONS, HAND_MADE_TOPIC]);
    const admin = room.kafka.admin();
    await admin.connect();
    const running: BenchApp[] = [];
    const start = async (main?: URL): Promise<BenchApp> => {
      const program = { app: 'webhook-ingest', ...(main !== undefined && { main }), env: { HAND_MADE_TOPIC } };
      const app = await startBenchApp(stack, program);
      running.push(app);
      return app;
    };
    const costs = new Map<string, string>();
    const run = async (way: Way): Promise<number> => {
      const before = await usageOf(way.app.pid, stack, room.database);
      const perSecond = await deliver(way, (topic) => recordsOf(admin, topic));
      const used = between(before, await usageOf(way.app.pid, stack, room.database));
      costs.set(way.name, `${perSecond.toFixed(0)}/s; ${costOf(used, way.deliveries)}`);
      return perSecond;
    };
    const candidate = (way: Way): Candidate => ({ name: way.name, run: () => run(way) });
    try {
      const [bare, ours, byHand] = [await start(BARE), await start(), await start(HAND_MADE)];
      const nowhere = { app: bare, topic: null, deliveries: 30_000 };
      const whole = { app: ours, topic: NOTIFICATIONS } as const;
      await run({ ...whole, name: 'Gondola, cold, 64 connections', deliveries: COLD, connections: MANY });
      const ways = [
        { ...nowhere, name: 'bare Fastify, 64 connections', connections: MANY },
        { ...nowhere, name: 'bare Fastify, 8 connections', connections: FEW },
        { ...whole, name: 'Gondola, 64 connections', deliveries: 15_000, connections: MANY },
        { ...whole, name: 'Gondola, 8 connections', deliveries: 10_000, connections: FEW },
        { ...whole, name: 'Gondola, each three times', deliveries: 30_000, connections: MANY, times: 3 },
        { app: byHand, topic: HAND_MADE_TOPIC, name: 'by hand, 64 connections', deliveries: 3_000, connections: MANY },
      ] as const;
      const [bareMany, bareFew, many, few, thrice, hand] = ways.map(candidate) as [Candidate, ...Candidate[]];
      const figures = await hold({ candidates: [bareMany, bareFew!, many!, few!, thrice!, hand!] }, ROUNDS);
      say('what each delivery costs (last round)');
      for (const [name, cost] of costs) say(`  ${name.padEnd(30)} ${cost}`);
      const verdict = (what: string, of: Candidate, to: Candidate, target: number): Verdict => {
        return { what, measured: ratio(figures, of, to), target, atLeast: null };
      };
      const p99 = sayDelays(
        `webhook to topic at ${CALM.perSecond}/s`,
        await delays(room, ours, await recordsOf(admin, NOTIFICATIONS)),
        say,
      );
      const calm = { what: `${TARGET_P99_MS} ms : p99 at ${CALM.perSecond}/s`, measured: TARGET_P99_MS / p99 };
      return [
        { ...calm, target: 1, atLeast: null },
        verdict('whole path : bare, 64 connections', many!, bareMany, 0.35),
        verdict('whole path : bare, 8 connections', few!, bareFew!, 0.3),
        verdict('each three times : bare', thrice!, bareMany, 0.5),
        { ...verdict('whole path : by hand', many!, hand!, 6), atLeast: 4 },
      ];
    } finally {
      await Promise.all(running.map((app) => app.stop()));
      await admin.disconnect();
      await room.close();
    }
  },
};

/** Delivers, waits until everything is on the topic, and returns the rate of the whole. */
async function deliver(
  { app, topic, deliveries, connections, times = 1 }: Way,
  recordsOn: (topic: string) => Promise<number>,
): Promise<number> {
  const goal = topic === null ? 0 : (await recordsOn(topic)) + deliveries / times;
  const args = [LOAD, app.url, SECRET, ...[deliveries, connections, 0, times].map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const deliveredAt = performance.now();
  const { perSecond, refused } = JSON.parse(stdout) as { perSecond: number; refused: number };
  if (refused > 0) throw new Error(`${refused} deliveries were not answered 200`);
  const isThere = async () => topic === null || (await recordsOn(topic)) >= goal;
  await waitFor(isThere, { describe: 'all notifications on their topic', timeoutMs: LIMIT_MS });
  const elapsedMs = (deliveries * 1_000) / perSecond + performance.now() - deliveredAt;
  return (deliveries * 1_000) / elapsedMs;
}

/** Milliseconds from each delivery until a reader of the topic has its record. */
async function delays(room: BenchRoom, { url }: BenchApp, before: number): Promise<number[]> {
  const arrivals = await watchArrivals(room, NOTIFICATIONS);
  await waitFor(() => arrivals.at.size >= before, { describe: 'all records before', timeoutMs: LIMIT_MS });
  const orders = new OrderNotifications(randomBytes(6).toString('hex'));
  const sentAt = new Map<string, number>();
  const arrivedAt = (): Map<string, number> =>
    new Map([...arrivals.at].map(([key, at]) => [key.split(':')[1] ?? '', at]));
  const startedAt = performance.now();
  const sending: Promise<Response>[] = [];
  for (let number = 1; number <= CALM.deliveries; number += 1) {
    const dueAt = startedAt + (number * MS_PER_SECOND) / CALM.perSecond;
    await sleep(Math.max(0, dueAt - performance.now()));
    const body = orders.order(number);
    sentAt.set((JSON.parse(body.toString()) as { operationId: string }).operationId, performance.now());
    sending.push(fetch(`${url}/webhooks/platform`, { method: 'POST', headers: { authorization: SECRET }, body }));
  }
  await Promise.all(sending);
  const isThere = (): boolean => {
    const arrived = arrivedAt();
    return [...sentAt.keys()].every((operation) => arrived.has(operation));
  };
  await waitFor(isThere, { describe: 'all calm notifications', timeoutMs: LIMIT_MS });
  await arrivals.stop();
  const arrived = arrivedAt();
  return [...sentAt].map(([operation, at]) => arrived.get(operation)! - at);
}

async function recordsOf(admin: ReturnType<BenchRoom['kafka']['admin']>, topic: string): Promise<number> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets.reduce((sum, { high }) => sum + Number(high), 0);
}
