import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOURCES } from '@gondola/local-stack/child-app';
import { encodeRecord, toKafkaHeaders } from '@gondola/messaging/codec/record-codec';
import type { Servers } from './bench.ts';
import { type BenchRoom, PREFIX } from './bench-room.ts';
import { BENCH_ACCOUNT } from './order-notifications.ts';

export const NOTIFICATIONS = 'platform.notifications.orders.v1';
export const EVENTS = `${PREFIX}erp.orders.events.v1`;
const ORDER_APP = new URL('../../apps/order-command-handler/test/bench/order-app.main.ts', import.meta.url);

/** What the app's phases took since the last report, which may run side by side, and its processor. */
interface OrderAppReport {
  readonly phases: Readonly<Record<string, { readonly calls: number; readonly ms: number }>>;
  readonly cpuMs: number;
}

interface OrderApp {
  report(): Promise<OrderAppReport>;
  stop(): Promise<void>;
}

/** The whole order-command-handler in a process of its own, with one tenant, `bench`, at this platform; it is ready. */
export async function startOrderApp(servers: Servers, schema: string, platformUrl: string): Promise<OrderApp> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-orders-'));
  const tenantsFile = join(folder, 'tenants.json');
  const platform = { baseUrl: platformUrl, username: 'bench', password: { env: 'PLATFORM_PASSWORD' } };
  await writeFile(
    tenantsFile,
    JSON.stringify({ tenants: [{ id: 'bench', contractAccountId: BENCH_ACCOUNT, platform }] }),
  );
  const env = {
    KAFKA_BROKERS: servers.kafkaBrokers,
    TOPIC_PREFIX: PREFIX,
    TOPIC_PARTITIONS: '3',
    DATABASE_URL: servers.databaseUrl,
    DATABASE_SCHEMA: schema,
    TENANTS_FILE: tenantsFile,
    HTTP_PORT: '0',
    PLATFORM_PASSWORD: randomUUID(),
  };
  const child = fork(ORDER_APP, [JSON.stringify(env)], {
    execArgv: [...SOURCES, '--disable-warning=TimeoutNegativeWarning'],
  });
  await once(child, 'message');
  return {
    report: async () => {
      child.send('report');
      return ((await once(child, 'message')) as [OrderAppReport])[0];
    },
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** The keys of the records that came on a topic, and an end to looking for more. */
export async function watchKeys(
  { kafka }: BenchRoom,
  topic: string,
): Promise<{ seen: Set<string>; stop: () => Promise<void> }> {
  const seen = new Set<string>();
  const consumer = kafka.consumer({ groupId: `${PREFIX}${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      for (const { key } of batch.messages) seen.add(String(key));
    },
  });
  return { seen, stop: () => consumer.disconnect() };
}

/** An order's notification as webhook-ingest passes it on. */
export function notificationMessage(orderNumber: number, value: Buffer) {
  const id = `bench:${randomUUID()}:Order_Updated`;
  const order = `order/${orderNumber}`;
  const record = encodeRecord(
    {
      topic: NOTIFICATIONS,
      key: id,
      id,
      type: 'platform.Order_Updated',
      subject: order,
      time: '2026-11-20T13:00:00.000Z',
      tenant: 'bench',
      partitionKey: `bench/${order}`,
      traceparent: '00-00000000000000000000000000000001-0000000000000001-01',
      extra: { ce_operationid: id, ce_relatedentity: 'Order' },
      value,
    },
    'webhook-ingest',
  );
  return { key: record.key, value: record.value, headers: toKafkaHeaders(record.headers) };
}

type NotificationMessage = ReturnType<typeof notificationMessage>;

/** Sends messages to the topic of order notifications, as many at a time as the relay sends. */
export async function sendNotifications(
  { producer }: BenchRoom,
  messages: readonly NotificationMessage[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += 150) {
    await producer.send({ topic: PREFIX + NOTIFICATIONS, acks: -1, messages: messages.slice(start, start + 150) });
  }
}
