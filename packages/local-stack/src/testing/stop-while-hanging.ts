import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel, type Message } from 'kafkajs';
import { Client } from 'pg';
import { FROM_SOURCES, startChildApp } from '../child-app.ts';
import { freePort } from '../free-port.ts';
import { logEnd, logSince } from '../log-tail.ts';
import type { ProcessExit } from '../process-supervisor.ts';
import { createTestSchema, deleteTopics, testStack, uniquePrefix } from '../test-stack.ts';
import { TestServer } from './test-server.ts';
import { waitFor } from '../wait-for.ts';

export interface TenantRecords {
  /** Name without prefix. */
  readonly topic: string;
  readonly of: (tenant: string) => readonly Message[];
}

export interface StopWhileHangingOptions {
  /** Name for messages, topics and schema, such as `order-command-handler`. */
  readonly app: string;
  /** Folder with the app's `src/main.ts`. */
  readonly folder: string;
  readonly tenants: readonly string[];
  /** Records that the app must have stored before, each for a separate lane of this kind. */
  readonly facts?: TenantRecords & { readonly lanes: string };
  /** Records that each make the app call the platform. */
  readonly commands: TenantRecords;
  /** Number of calls that hang before the app gets SIGTERM. */
  readonly calls: number;
}

export interface StoppedApp {
  readonly exit: ProcessExit;
  /** Number of leases while the calls hung, and after the end of the process. */
  readonly leases: { readonly before: number; readonly after: number };
  /** Errors that the app logged after the signal. */
  readonly errors: readonly string[];
}

const IS_HELD = 'lease_until IS NOT NULL';

/**
 * Runs an app with lanes in a separate process against a platform that does not answer, and sends SIGTERM while its
 * calls hang. The app requires Kafka, PostgreSQL and a tenants file, and stores its leases in the table `lanes`.
 */
export async function stopWhilePlatformHangs(options: StopWhileHangingOptions): Promise<StoppedApp> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    return await run(options, undo);
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

async function run(options: StopWhileHangingOptions, undo: (() => Promise<unknown>)[]): Promise<StoppedApp> {
  const { app, folder: cwd, tenants, calls } = options;
  const { kafkaBrokers, databaseUrl } = testStack();
  const folder = await mkdtemp(join(tmpdir(), 'gondola-hanging-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  let hanging = 0;
  const platform = await TestServer.start(() => void (hanging += 1));
  undo.push(() => platform.stop());
  const schema = await createTestSchema(app);
  undo.push(() => schema.drop());
  const prefix = uniquePrefix(app);
  undo.push(() => deleteTopics(kafkaBrokers, prefix));
  const tenantsFile = join(folder, 'tenants.json');
  await writeFile(
    tenantsFile,
    JSON.stringify({ tenants: tenants.map((id, index) => tenant(id, index, platform.url)) }),
  );
  const logFile = join(folder, 'app.log');
  const port = await freePort();
  const child = await startChildApp({
    name: app,
    args: FROM_SOURCES,
    cwd,
    env: {
      KAFKA_BROKERS: kafkaBrokers,
      TOPIC_PREFIX: prefix,
      TOPIC_PARTITIONS: '1',
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: schema.schema,
      TENANTS_FILE: tenantsFile,
      HTTP_PORT: String(port),
      // No call ends by itself, and is made again, before all calls hang.
      LANE_LEASE_MS: '400000',
      PLATFORM_TIMEOUT_MS: '300000',
      TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test',
    },
    logFile,
    readyUrl: `http://127.0.0.1:${port}/health/ready`,
  });
  undo.push(() => child.kill());
  const { facts, commands } = options;
  if (facts !== undefined) {
    const messages = tenants.flatMap(facts.of);
    await produce(kafkaBrokers, prefix + facts.topic, messages);
    const areStored = async () => (await count(schema.url, `kind = '${facts.lanes}'`)) === messages.length;
    await waitFor(areStored, { describe: `lanes of ${messages.length} facts` });
  }
  await produce(kafkaBrokers, prefix + commands.topic, tenants.flatMap(commands.of));
  await waitFor(() => hanging >= calls || Promise.reject(new Error(`${hanging} calls so far`)), {
    describe: `${calls} calls that hang`,
  });
  const before = await count(schema.url, IS_HELD);
  const logStart = await logEnd(logFile);
  const exit = await child.stop();
  const leases = { before, after: await count(schema.url, IS_HELD) };
  const lines = (await logSince(logFile, logStart)).split('\n');
  return { exit, leases, errors: lines.filter((line) => line.includes('"level":"error"')) };
}

function tenant(id: string, index: number, baseUrl: string): object {
  const platform = { baseUrl, username: `erp-${id}`, password: { env: 'TEST_PLATFORM_PASSWORD' } };
  // Only the commands make calls.
  const recovery = { scanEveryMs: null, quietMs: null };
  return { id, contractAccountId: `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`, platform, recovery };
}

async function produce(brokers: string, topic: string, messages: readonly Message[]): Promise<void> {
  const producer = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  try {
    await producer.send({ topic, messages: [...messages] });
  } finally {
    await producer.disconnect();
  }
}

/** Number of lanes for which a condition holds. */
async function count(url: string, condition: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(`SELECT count(*)::integer AS n FROM lanes WHERE ${condition}`);
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}
