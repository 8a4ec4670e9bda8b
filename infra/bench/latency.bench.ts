import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { Bench, Say, Servers } from './bench.ts';
import { orderBody } from './bench-room.ts';
import { percentile } from './percentile.ts';
import type { Verdict } from './verdict.ts';

const PER_SECOND = 200;
const WARM_UP_S = 3;
const MEASURED_S = 15;
const TARGET_P99_MS = 100;
const PREFIX = 'bench-latency-';
const TOPIC = `${PREFIX}platform.notifications.orders.v1`;
const ACCOUNT = '11111111-1111-4111-8111-111111111111';
const TOKEN = 'bench-webhook-token-long-enough';
const APP_FOLDER = join(import.meta.dirname, '../../apps/webhook-ingest');

interface Replica extends ChildApp {
  url: string;
}

/**
 * Time from a webhook's request until a consumer has its record, at 200 requests a second; shown, never checked.
 */
export const latencyBench: Bench = {
  name: 'latency',
  run: async (servers, say) => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-latency-'));
    const replicas: Replica[] = [];
    const arrivals = new Map<string, number>();
    const add = async () => replicas.push(await startReplica(servers, folder, `replica-${replicas.length + 1}`));
    await writeFile(join(folder, 'tenants.json'), JSON.stringify(TENANTS));
    try {
      await add();
      const stopWatching = await watch(servers, arrivals);
      const verdicts = [await measure('one replica', replicas, arrivals, say)];
      await add();
      verdicts.push(await measure('two replicas in turn', replicas, arrivals, say));
      verdicts.push(
        await measure('two, all to the one whose relay stands by', [await standby(replicas)], arrivals, say),
      );
      await stopWatching();
      return verdicts;
    } finally {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await rm(folder, { recursive: true });
    }
  },
};

const TENANTS = {
  tenants: [
    {
      id: 'bench',
      contractAccountId: ACCOUNT,
      platform: { baseUrl: 'http://127.0.0.1:9', username: 'bench', password: { env: 'PLATFORM_PASSWORD' } },
      webhook: { tokens: [{ env: 'WEBHOOK_TOKEN' }] },
    },
  ],
};

async function startReplica(servers: Servers, folder: string, name: string): Promise<Replica> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildApp({
    name,
    args: ['dist/main.js'],
    cwd: APP_FOLDER,
    env: {
      HTTP_PORT: String(port),
      KAFKA_BROKERS: servers.kafkaBrokers,
      DATABASE_URL: servers.databaseUrl,
      TOPIC_PREFIX: PREFIX,
      TOPIC_PARTITIONS: '3',
      TENANTS_FILE: join(folder, 'tenants.json'),
      SPOOL_DIR: join(folder, `${name}-spool`),
      LOG_LEVEL: 'error',
      PLATFORM_PASSWORD: 'platform-password',
      WEBHOOK_TOKEN: TOKEN,
    },
    logFile: join(folder, `${name}.log`),
    readyUrl: `${url}/health/ready`,
  });
  return { ...child, url };
}

/** Records the time at which each operation's record arrives. */
async function watch({ kafkaBrokers }: Servers, arrivals: Map<string, number>): Promise<() => Promise<void>> {
  const logger = createLogger({ app: 'bench', level: 'error' });
  const kafka = createKafka({ brokers: kafkaBrokers.split(','), ssl: false }, 'latency', logger);
  const consumer = kafka.consumer({ groupId: `${PREFIX}${randomUUID()}` });
  await waitFor(async () => (await topicsOf(kafka)).includes(TOPIC), { describe: `the topic ${TOPIC}` });
  await consumer.connect();
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
  await consumer.run({
    eachBatch: async ({ batch }) => {
      const now = performance.now();
      for (const { headers } of batch.messages) arrivals.set(String(headers?.['ce_operationid']), now);
    },
  });
  return () => consumer.disconnect();
}

async function topicsOf(kafka: ReturnType<typeof createKafka>): Promise<string[]> {
  const admin = kafka.admin();
  await admin.connect();
  const topics = await admin.listTopics();
  await admin.disconnect();
  return topics;
}

async function standby(replicas: readonly Replica[]): Promise<Replica> {
  return waitFor(
    async () => {
      for (const replica of replicas) {
        const metrics = await (await fetch(`${replica.url}/metrics`)).text();
        if (/^gondola_relay_active(\{.*\})? 0$/m.test(metrics)) return replica;
      }
      return undefined;
    },
    { describe: 'a relay that stands by' },
  );
}

async function measure(
  what: string,
  replicas: readonly Replica[],
  arrivals: Map<string, number>,
  say: Say,
): Promise<Verdict> {
  const body = orderBody().toString();
  const agent = new Agent({ keepAlive: true });
  const sentAt = new Map<string, number>();
  const startedAt = performance.now();
  for (let index = 0; index < PER_SECOND * (WARM_UP_S + MEASURED_S); index += 1) {
    const dueMs = (index * 1_000) / PER_SECOND;
    const aheadMs = startedAt + dueMs - performance.now();
    if (aheadMs > 0) await sleep(aheadMs);
    const operationId = randomUUID();
    if (dueMs >= WARM_UP_S * 1_000) sentAt.set(operationId, performance.now());
    deliver(replicas[index % replicas.length]!.url, agent, envelope(operationId, body));
  }
  await waitFor(() => [...sentAt.keys()].every((id) => arrivals.has(id)), {
    describe: 'every record',
    timeoutMs: 60_000,
  });
  agent.destroy();
  const delays = [...sentAt].map(([id, sent]) => arrivals.get(id)! - sent).toSorted((a, b) => a - b);
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(delays, share));
  say(
    `${what}: ${delays.length} webhooks, p50 ${p50?.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms, most ${most?.toFixed(1)} ms`,
  );
  return {
    what: `${TARGET_P99_MS} ms : p99 of ${what}`,
    measured: TARGET_P99_MS / (p99 ?? Number.NaN),
    target: 1,
    atLeast: null,
  };
}

function envelope(operationId: string, body: string): string {
  const data = { number: 100_234, status: 300, body };
  return JSON.stringify({
    operationId,
    contractAccountId: ACCOUNT,
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data,
  });
}

/**
 * Sends without waiting for the answer: the next delivery starts when it is due. An answer other than 200 fails the
 * bench, because its record never arrives.
 */
function deliver(url: string, agent: Agent, text: string): void {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${TOKEN}`,
    'content-length': Buffer.byteLength(text),
  };
  const post = request(
    `${url}/webhooks/platform`,
    { method: 'POST', agent, headers },
    (answer) => void answer.resume(),
  );
  post.on('error', (error) => {
    throw error;
  });
  post.end(text);
}
