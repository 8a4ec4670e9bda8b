import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SOURCES } from '@gondola/local-stack/child-app';
import { waitFor } from '@gondola/local-stack/wait-for';
import { encodeRecord, toKafkaHeaders } from '@gondola/messaging/codec/record-codec';
import { skuRecord } from '@gondola/messaging/codec/sku-record';
import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { Servers } from './bench.ts';
import { type BenchRoom, PREFIX } from './bench-room.ts';
import { BENCH_ACCOUNT, SKUS, skuIdOf } from './order-notifications.ts';

export const NOTIFICATIONS = 'platform.notifications.orders.v1';
const TRACEPARENT = '00-00000000000000000000000000000001-0000000000000001-01';
const SKU_SNAPSHOTS = `${PREFIX}catalog.skus.v1`;
export const EVENTS = `${PREFIX}erp.orders.events.v1`;
const ORDER_APP = new URL('../../apps/order-command-handler/test/bench/order-app.main.ts', import.meta.url);

/** Time in each of the app's phases since the last report, which may overlap, and its processor time. */
interface OrderAppReport {
  readonly phases: Readonly<Record<string, { readonly calls: number; readonly ms: number }>>;
  readonly cpuMs: number;
}

interface OrderApp {
  report(): Promise<OrderAppReport>;
  stop(): Promise<void>;
}

/**
 * Starts the whole order-command-handler as a separate process, with the tenant `bench` on this platform, and waits
 * until it is ready.
 */
export async function startOrderApp(servers: Servers, schema: string, platformUrl: string): Promise<OrderApp> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-orders-'));
  const tenantsFile = join(folder, 'tenants.json');
  const platform = { baseUrl: platformUrl, username: 'bench', password: { env: 'PLATFORM_PASSWORD' } };
  // Calls that nobody asked for would be measured, too.
  const recovery = { scanEveryMs: null, quietMs: null };
  await writeFile(
    tenantsFile,
    JSON.stringify({ tenants: [{ id: 'bench', contractAccountId: BENCH_ACCOUNT, platform, recovery }] }),
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

/**
 * Publishes the SKUs of the orders as catalog-publisher does, and waits until the app of this schema knows them.
 */
export async function publishSkus({ producer, database }: BenchRoom, schema: string): Promise<void> {
  const messages = Array.from({ length: SKUS }, (_, sku) => skuMessage(sku));
  await producer.send({ topic: SKU_SNAPSHOTS, acks: -1, messages });
  const known = async (): Promise<boolean> => {
    const { rows } = await database.query<{ skus: number }>(`SELECT count(*)::float8 AS skus FROM ${schema}.skus`);
    return rows[0]!.skus >= SKUS;
  };
  await waitFor(known, { describe: 'all SKUs', timeoutMs: 60_000 });
}

function skuMessage(sku: number) {
  const nothing = { productId: null, ean: null, reference: null, unitOfMeasurement: null, arithmeticFactor: null };
  const snapshot = buildSkuSnapshot({
    ...nothing,
    tenant: 'bench',
    version: 1,
    time: '2026-11-20T13:00:00.000Z',
    skuExternalReference: `4711-${sku}`,
    skuId: skuIdOf(sku),
    productExternalReference: '4711',
    name: 'Queijo Coalho Peça',
    active: true,
  });
  const record = encodeRecord(skuRecord(snapshot, { traceparent: TRACEPARENT }), 'catalog-publisher');
  return { key: record.key, value: record.value, headers: toKafkaHeaders(record.headers) };
}

/** Collects the keys of a topic's records until it is stopped. */
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

/** An order's notification as webhook-ingest publishes it. */
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
      traceparent: TRACEPARENT,
      extra: { ce_operationid: id, ce_relatedentity: 'Order' },
      value,
    },
    'webhook-ingest',
  );
  return { key: record.key, value: record.value, headers: toKafkaHeaders(record.headers) };
}

type NotificationMessage = ReturnType<typeof notificationMessage>;

/** Publishes messages to the topic of order notifications, as many at a time as the relay publishes. */
export async function sendNotifications(
  { producer }: BenchRoom,
  messages: readonly NotificationMessage[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += 150) {
    await producer.send({ topic: PREFIX + NOTIFICATIONS, acks: -1, messages: messages.slice(start, start + 150) });
  }
}
