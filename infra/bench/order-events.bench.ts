import { fork } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOURCES } from '@gondola/local-stack/child-app';
import { waitFor } from '@gondola/local-stack/wait-for';
import { encodeRecord, toKafkaHeaders } from '@gondola/messaging/codec/record-codec';
import type { Bench, Servers } from './bench.ts';
import { type BenchRoom, openRoom, PREFIX } from './bench-room.ts';
import { median } from './contest.ts';
import { BENCH_ACCOUNT, OrderNotifications } from './order-notifications.ts';

const ROUNDS = 5;
const ORDERS = 1_500;
const TARGET_PER_SECOND = 600;
const TIMEOUT_MS = 120_000;
const TOPIC = 'platform.notifications.orders.v1';
const EVENTS = `${PREFIX}erp.orders.events.v1`;
const ORDER_APP = new URL('../../apps/order-command-handler/test/bench/order-app.main.ts', import.meta.url);

/** What the app's phases took, which may run side by side, and its processor. */
interface Report {
  readonly phases: Readonly<Record<string, { readonly calls: number; readonly ms: number }>>;
  readonly cpuMs: number;
}

/**
 * Notifications of 6 kB, each of another order, from their topic to their events on theirs, through the whole app, and
 * where the time goes. Shown, never checked.
 */
export const orderEventsBench: Bench = {
  name: 'order-events',
  run: async (servers, say) => {
    const room = await openRoom(servers, 'bench_order_events_room', [], TOPIC);
    const folder = await mkdtemp(join(tmpdir(), 'gondola-order-events-'));
    const child = await startApp(servers, folder);
    const { seen, stop } = await watchEvents(room);
    const report = async (): Promise<Report> => {
      child.send('report');
      return ((await once(child, 'message')) as [Report])[0];
    };
    const databaseMs = async (): Promise<number> => {
      const text = 'SELECT active_time AS ms FROM pg_stat_database WHERE datname = current_database()';
      return (await room.database.query<{ ms: number }>(text)).rows[0]!.ms;
    };
    try {
      await send(room, seen, 1);
      await report();
      const databaseBefore = await databaseMs();
      const figures: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) figures.push(await send(room, seen, ORDERS));
      const { phases, cpuMs } = await report();
      const perThousand = (ms: number): string => ((ms * 1_000) / (ROUNDS * ORDERS)).toFixed(0).padStart(8);
      say(
        `notifications to events, topic to topic (median of ${ROUNDS} rounds of ${ORDERS}): ${median(figures).toFixed(0)}/s`,
      );
      say('ms for 1000 notifications; what runs side by side counts twice');
      for (const [name, { calls, ms }] of Object.entries(phases)) {
        say(`  ${name.padEnd(22)}${perThousand(ms)}   in ${calls} calls`);
      }
      say(`  ${'processor of the app'.padEnd(22)}${perThousand(cpuMs)}`);
      say(`  ${'database, executing'.padEnd(22)}${perThousand((await databaseMs()) - databaseBefore)}`);
      const what = `notifications to events : ${TARGET_PER_SECOND}/s`;
      return [{ what, measured: median(figures) / TARGET_PER_SECOND, target: 1, atLeast: null }];
    } finally {
      await stop();
      child.disconnect();
      await once(child, 'exit');
      await room.close();
      await rm(folder, { recursive: true });
    }
  },
};

async function startApp({ kafkaBrokers, databaseUrl }: Servers, folder: string) {
  const tenantsFile = join(folder, 'tenants.json');
  // Nothing is called: the orders have no commands and stay within their limits.
  const platform = { baseUrl: 'http://127.0.0.1:9', username: 'bench', password: { env: 'PLATFORM_PASSWORD' } };
  await writeFile(
    tenantsFile,
    JSON.stringify({ tenants: [{ id: 'bench', contractAccountId: BENCH_ACCOUNT, platform }] }),
  );
  const env = {
    KAFKA_BROKERS: kafkaBrokers,
    TOPIC_PREFIX: PREFIX,
    TOPIC_PARTITIONS: '3',
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: 'bench_order_events',
    TENANTS_FILE: tenantsFile,
    HTTP_PORT: '0',
    PLATFORM_PASSWORD: randomUUID(),
  };
  const child = fork(ORDER_APP, [JSON.stringify(env)], {
    execArgv: [...SOURCES, '--disable-warning=TimeoutNegativeWarning'],
  });
  await once(child, 'message');
  return child;
}

/** The orders whose events came, and an end to looking for more. */
async function watchEvents({ kafka }: BenchRoom): Promise<{ seen: Set<string>; stop: () => Promise<void> }> {
  const seen = new Set<string>();
  const consumer = kafka.consumer({ groupId: `${PREFIX}${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: EVENTS, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      for (const { key } of batch.messages) seen.add(String(key));
    },
  });
  return { seen, stop: () => consumer.disconnect() };
}

/** Sends notifications of so many new orders, and answers how many events of theirs came in a second. */
async function send({ producer }: BenchRoom, seen: Set<string>, orders: number): Promise<number> {
  const notifications = new OrderNotifications(randomBytes(6).toString('hex'));
  const first = Number.parseInt(randomBytes(3).toString('hex'), 16) * 10;
  const goal = seen.size + orders;
  const messages = Array.from({ length: orders }, (_, index) => {
    const id = `bench:${randomUUID()}:Order_Updated`;
    const order = `order/${first + index}`;
    const { key, value, headers } = encodeRecord(
      {
        topic: TOPIC,
        key: id,
        id,
        type: 'platform.Order_Updated',
        subject: order,
        time: '2026-11-20T13:00:00.000Z',
        tenant: 'bench',
        partitionKey: `bench/${order}`,
        traceparent: '00-00000000000000000000000000000001-0000000000000001-01',
        extra: { ce_operationid: id, ce_relatedentity: 'Order' },
        value: notifications.order(first + index),
      },
      'webhook-ingest',
    );
    return { key, value, headers: toKafkaHeaders(headers) };
  });
  const startedAt = performance.now();
  for (let start = 0; start < orders; start += 150) {
    await producer.send({ topic: PREFIX + TOPIC, acks: -1, messages: messages.slice(start, start + 150) });
  }
  await waitFor(() => seen.size >= goal, { describe: `${goal} events`, timeoutMs: TIMEOUT_MS });
  return (orders * 1_000) / (performance.now() - startedAt);
}
