import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import type { createKafka } from '@gondola/messaging/kafka/kafka-client';
import type { Servers } from './bench.ts';
import { LiveHeap } from './live-heap.ts';

export const PREFIX = 'bench-catalog-';
export const NOTIFICATIONS = `${PREFIX}platform.notifications.catalog.v1`;
export const PRODUCTS = `${PREFIX}erp.catalog.products.v1`;
export const ACCOUNT = '11111111-1111-4111-8111-111111111111';
export const POLICY = '22222222-2222-4222-8222-222222222222';
export const CREDENTIALS = { username: 'bench', password: 'platform-password' };
const APP_FOLDER = join(import.meta.dirname, '../../apps/catalog-publisher');

export interface Publisher extends ChildApp {
  readonly url: string;
  readonly heap: LiveHeap;
}

/** The built catalog-publisher as a process of its own, with one tenant, `bench`, at this platform; it is ready. */
export async function startPublisher(servers: Servers, folder: string, baseUrl: string): Promise<Publisher> {
  const tenantsFile = join(folder, 'tenants.json');
  const platform = { baseUrl, username: CREDENTIALS.username, password: { env: 'PLATFORM_PASSWORD' }, concurrency: 16 };
  const tenant = { id: 'bench', contractAccountId: ACCOUNT, platform };
  await writeFile(tenantsFile, JSON.stringify({ tenants: [tenant] }));
  const [port, inspectorPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildApp({
    name: 'catalog-publisher',
    args: [`--inspect=127.0.0.1:${inspectorPort}`, 'dist/main.js'],
    cwd: APP_FOLDER,
    env: {
      HTTP_PORT: String(port),
      KAFKA_BROKERS: servers.kafkaBrokers,
      DATABASE_URL: servers.databaseUrl,
      TOPIC_PREFIX: PREFIX,
      TOPIC_PARTITIONS: '3',
      TENANTS_FILE: tenantsFile,
      LOG_LEVEL: 'error',
      PLATFORM_PASSWORD: CREDENTIALS.password,
    },
    logFile: join(folder, 'catalog-publisher.log'),
    readyUrl: `${url}/health/ready`,
  });
  const heap = await LiveHeap.of(inspectorPort);
  const stop: Publisher['stop'] = async (limitMs) => {
    // Node.js does not exit while its inspector has a client.
    heap.close();
    return child.stop(limitMs);
  };
  return { ...child, stop, url, heap };
}

export interface Results {
  /** Time at which the result of each record arrived, by record id. */
  readonly arrivals: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function watchResults(kafka: ReturnType<typeof createKafka>): Promise<Results> {
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

export function recordId(load: string, index: number): string {
  return `${load}-${index}`;
}

/** Three SKUs for two products. */
export function productRecord(load: string, index: number) {
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

/** Processor time that a process has used since its start, in seconds. */
export async function cpuSeconds(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total(?:\{.*\})? ([\d.e+-]+)/m.exec(metrics)?.[1] ?? Number.NaN);
}
