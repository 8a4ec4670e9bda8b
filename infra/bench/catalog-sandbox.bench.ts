import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type SandboxProcess, startSandboxProcess } from '@gondola/local-stack/sandbox-process';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { Bench, Say, Servers } from './bench.ts';
import {
  ACCOUNT,
  cpuSeconds,
  CREDENTIALS,
  NOTIFICATIONS,
  PREFIX,
  productRecord,
  PRODUCTS,
  recordId,
  startPublisher,
  watchResults,
} from './catalog-app.ts';
import type { Producer } from './stub-platform.ts';

const LOAD = 'sandbox';
const COUNT = 20_000;
const PRODUCED_AT_ONCE = 500;
const LIMIT_MS = 1_800_000;
const EVENTS = ['Created', 'Updated', 'CreationFailed', 'PartiallyFailed', 'UpdateFailed'].map(
  (each) => `ProductWithSKUs_${each}`,
);

/**
 * 20,000 products with 30,000 SKUs from the topic to their outcomes, against the sandbox as a process of its own,
 * whose notifications come by HTTP; what passes them on to Kafka is the bench's. Minutes long, so that it is run by
 * its name alone; figures are shown, and nothing is checked.
 */
export const catalogSandboxBench: Bench = {
  name: 'catalog-sandbox',
  isByNameAlone: true,
  run: async (servers, say) => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-bench-catalog-sandbox-'));
    const logger = createLogger({ app: 'bench', level: 'error' });
    const kafka = createKafka({ brokers: servers.kafkaBrokers.split(','), ssl: false }, 'bench-catalog', logger);
    const producer = kafka.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    const { databaseUrl } = servers;
    const logFile = join(folder, 'sandbox.log');
    const sandbox = await startSandboxProcess({ databaseUrl, databaseSchema: 'bench_catalog_sandbox', logFile });
    const hook = await Hook.start(producer);
    await openShop(sandbox.url, hook.url);
    const app = await startPublisher(servers, folder, sandbox.url);
    const results = await watchResults(kafka);
    try {
      const startedAt = performance.now();
      for (let from = 0; from < COUNT; from += PRODUCED_AT_ONCE) {
        const messages = Array.from({ length: PRODUCED_AT_ONCE }, (_, at) => productRecord(LOAD, from + at));
        await producer.send({ topic: PRODUCTS, messages });
      }
      const ids = Array.from({ length: COUNT }, (_, index) => recordId(LOAD, index));
      await waitFor(() => ids.every((id) => results.arrivals.has(id)), {
        describe: `the results of ${COUNT} products`,
        timeoutMs: LIMIT_MS,
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      say(`${COUNT} products against the sandbox: ${seconds.toFixed(1)} s, ${Math.round(COUNT / seconds)} products/s`);
      await sayStages(servers, say);
      await sayProcessors(app.url, sandbox, say);
      return [];
    } finally {
      await results.close();
      await app.stop();
      await sandbox.stop();
      await hook.stop();
      await producer.disconnect();
      await rm(folder, { recursive: true });
    }
  },
};

/** The webhook: a delivery is answered at once, and goes to the topic together with what came meanwhile. */
class Hook {
  readonly #server: Server;
  readonly #producer: Producer;
  #waiting: Buffer[] = [];
  #publishing: Promise<void> | null = null;

  private constructor(producer: Producer) {
    this.#producer = producer;
    this.#server = createServer(
      { keepAliveTimeout: 600_000 },
      (request, response) => void this.#take(request, response),
    );
  }

  static async start(producer: Producer): Promise<Hook> {
    const hook = new Hook(producer);
    hook.#server.listen(0, '127.0.0.1');
    await once(hook.#server, 'listening');
    return hook;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    await this.#publishing;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#waiting.push(await buffer(request));
    response.writeHead(200).end();
    this.#publishing ??= this.#send();
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const messages = this.#waiting.map((value) => {
        const { eventType } = JSON.parse(value.toString()) as { eventType: string };
        const id = randomUUID();
        return { key: id, value, headers: { ce_id: id, ce_tenant: 'bench', ce_type: `platform.${eventType}` } };
      });
      this.#waiting = [];
      await this.#producer.send({ topic: NOTIFICATIONS, messages });
    }
    this.#publishing = null;
  }
}

async function openShop(url: string, hook: string): Promise<void> {
  const { username, password } = CREDENTIALS;
  const post = async (path: string, body: object): Promise<void> => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = { authorization, 'x-contractAccountId': ACCOUNT, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  };
  await post('/admin/tenants', { contractAccountId: ACCOUNT, username, password, apiKey: 'key' });
  await post('/v1/Webhooks', { originType: 'Api_call', originData: 'bench', url: hook, eventTypes: EVENTS });
}

/** Where a product's time goes, and when the last of all was through, by what is stored with its record. */
const STAGES = [
  { name: 'on the topic, until it is stored', from: 'produced_at', to: 'received_at' },
  { name: 'in its lane, until its batch is sent', from: 'received_at', to: 'first_sent_at' },
  { name: 'at the sandbox, until its outcome is stored', from: 'first_sent_at', to: 'finished_at' },
] as const;

async function sayStages({ databaseUrl }: Servers, say: Say): Promise<void> {
  const database = new Database({ url: databaseUrl, schema: 'catalog_publisher', migrations: [] });
  await database.connect();
  for (const { name, from, to } of STAGES) {
    const { rows } = await database.query<{ p50: number; p99: number; last: number }>(
      `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS p50,
         percentile_cont(0.99) WITHIN GROUP (ORDER BY seconds) AS p99, max(at) AS last
       FROM (SELECT EXTRACT(EPOCH FROM ${to} - ${from})::float8 AS seconds,
           EXTRACT(EPOCH FROM ${to} - min(produced_at) OVER ())::float8 AS at
         FROM commands WHERE topic = $1) AS times`,
      [PRODUCTS.slice(PREFIX.length)],
    );
    const [p50, p99, last] = [rows[0]?.p50, rows[0]?.p99, rows[0]?.last].map((each) => (each ?? 0).toFixed(1));
    say(`  ${name.padEnd(44)} p50 ${p50} s, p99 ${p99} s, the last after ${last} s`);
  }
  const { rows } = await database.query<{ count: number }>('SELECT count(*)::int FROM skus WHERE snapshot IS NOT NULL');
  say(`  ${'SKUs published by then'.padEnd(44)} ${rows[0]?.count}`);
  await database.close();
}

async function sayProcessors(appUrl: string, sandbox: SandboxProcess, say: Say): Promise<void> {
  for (const [name, url] of [
    ['catalog-publisher', appUrl],
    ['the sandbox', sandbox.url],
  ] as const) {
    const seconds = await cpuSeconds(url);
    say(`  ${`processor time of ${name}`.padEnd(44)} ${seconds.toFixed(1)} s`);
  }
}
