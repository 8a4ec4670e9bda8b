import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gondola/local-stack/free-port';
import { HAS_OPENSSL } from '@gondola/local-stack/testing/machine';
import { type KafkaRight, type SecuredKafka, startSecuredKafka } from '@gondola/local-stack/testing/secured-kafka';
import { testStack, uniquePrefix } from '@gondola/local-stack/test-stack';
import { WAIT_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { neededRights } from '@gondola/kafka/topics/needed-rights';
import { provisionTopics } from '@gondola/kafka/topics/topic-provisioning';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { TOPIC_NAMES, type TopicName } from '@gondola/shared/topics/topics';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { freshRun } from '../play/fresh-run.ts';
import { type AppName, type Gondola, ROOT, schemaOf } from '../play/gondola.ts';
import { playLoop } from '../play/loop.ts';
import { Reporter } from '../play/reporter.ts';
import { OtlpReceiver } from '../traces/otlp-receiver.ts';
import { documentedVariables } from './documented-variables.ts';
import { startIngest, unfinishedDelivery } from './lone-ingest.ts';

// Each variable of docs/running.md, set to a value that is not its default, on real servers: a Kafka that asks for a
// login and a certificate and allows nothing but the documented rights, and the PostgreSQL of the tests.

const PARTITIONS = 5;
const SESSION_MS = 7_000;
const RETENTION_DAYS = 8;
const UPLOAD_BYTES = 2_000_000;
const BODY_BYTES = 3_000_000;
const UNANSWERED_BYTES = 5_242_880;
const DAY_MS = 86_400_000;
const PREFIX = uniquePrefix('settings');
const LOG_DIR = join(import.meta.dirname, '../test-results/every-variable');
/** webhook-ingest creates this one by its own setting. */
const CREATED_BY_APP: TopicName = 'platform.notifications.users.v1';
const KAFKA_APPS = ['webhook-ingest', 'catalog-publisher', 'order-command-handler', 'file-gateway'] as const;

/** How each app comes in: every mechanism and each kind of TLS once. */
function loginsAt(kafka: SecuredKafka): Record<(typeof KAFKA_APPS)[number], Record<string, string>> {
  const sasl = (account: string, mechanism: string) => ({
    KAFKA_SASL_MECHANISM: mechanism,
    KAFKA_SASL_USERNAME: account,
    KAFKA_SASL_PASSWORD: kafka.passwords[account]!,
  });
  const tls = { KAFKA_SSL: 'true', KAFKA_SSL_CA: kafka.authority };
  return {
    'webhook-ingest': { KAFKA_BROKERS: kafka.login, ...sasl('webhook-ingest', 'plain') },
    'catalog-publisher': { KAFKA_BROKERS: kafka.login, ...sasl('catalog-publisher', 'scram-sha-256') },
    'order-command-handler': {
      KAFKA_BROKERS: kafka.tlsLogin,
      ...tls,
      ...sasl('order-command-handler', 'scram-sha-512'),
    },
    'file-gateway':
      kafka.client === null
        ? { KAFKA_BROKERS: kafka.tlsLogin, ...tls, ...sasl('file-gateway', 'plain') }
        : {
            KAFKA_BROKERS: kafka.mutualTls,
            ...tls,
            KAFKA_SSL_CERT: kafka.client.certificate,
            KAFKA_SSL_KEY: kafka.client.key,
          },
  };
}

/** Variables of each app of the day, beside those of the demo. */
function variablesOf(app: AppName, kafka: SecuredKafka): Record<string, string> {
  if (app === 'console' || app === 'platform-sandbox') return {};
  return {
    ...loginsAt(kafka)[app],
    TOPIC_PARTITIONS: String(PARTITIONS),
    KAFKA_SESSION_MS: String(SESSION_MS),
    COMMAND_RETENTION_MS: String(RETENTION_DAYS * DAY_MS),
    UPLOAD_MAX_BYTES: String(UPLOAD_BYTES),
  };
}

async function grantRights(kafka: SecuredKafka): Promise<void> {
  for (const app of KAFKA_APPS) {
    const account = app === 'file-gateway' ? (kafka.client?.account ?? app) : app;
    await kafka.grant(account, neededRights(app, PREFIX));
  }
  const creates: KafkaRight = { resource: 'Topic', name: PREFIX + CREATED_BY_APP, operation: 'Create' };
  await kafka.grant('webhook-ingest', [creates]);
}

let kafka: SecuredKafka;
let database: Client;
let folder: string;
let collector: OtlpReceiver;
/** A question that the running day answers, asked at its end. */
const ofTheDay = new Map<string, unknown>();
const logOf = (app: string): Promise<string> => readFile(join(LOG_DIR, `${app}.log`), 'utf8');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-settings-'));
  collector = await OtlpReceiver.start();
  database = new Client({ connectionString: testStack().databaseUrl });
  await database.connect();
  const scram = { 'catalog-publisher': 256, 'order-command-handler': 512 } as const;
  kafka = await startSecuredKafka(KAFKA_APPS, scram);
  const owner = createKafka(
    { brokers: [kafka.brokers], ssl: false },
    'demo-tests',
    createLogger({ app: 'demo', level: 'silent' }),
  );
  const topics = TOPIC_NAMES.filter((name) => name !== CREATED_BY_APP);
  await provisionTopics({ kafka: owner, prefix: PREFIX, partitions: PARTITIONS, replicationFactor: -1, topics });
  await grantRights(kafka);
  const reporter = new Reporter({ write: () => true, isTTY: false });
  const external = { kafkaBrokers: kafka.brokers, databaseUrl: testStack().databaseUrl };
  const envOf = (app: AppName) => variablesOf(app, kafka);
  const tenant = { recovery: { scanEveryMs: null, quietMs: null } };
  await freshRun(
    { reporter, logDir: LOG_DIR, external, stepTimeoutMs: WAIT_LIMIT_MS, tenant, envOf, prefix: PREFIX },
    async (gondola) => {
      await playLoop(gondola.context);
      await askTheDay(gondola, owner.admin());
    },
  );
});

/** Questions that only the running apps can answer. */
async function askTheDay(gondola: Gondola, admin: ReturnType<ReturnType<typeof createKafka>['admin']>): Promise<void> {
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [PREFIX + CREATED_BY_APP] });
  const { groups } = await admin.listGroups();
  await admin.disconnect();
  ofTheDay.set('partitions', topics[0]?.partitions.length);
  ofTheDay.set('groups', groups.map(({ groupId }) => groupId).toSorted());

  const { url, token } = { url: gondola.urls['file-gateway'], token: gondola.erpEnvironment['UPLOAD_TOKEN']! };
  const body = '%PDF-1.7\n'.padEnd(UPLOAD_BYTES + 1);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/pdf' };
  ofTheDay.set('upload', (await fetch(`${url}/uploads`, { method: 'POST', headers, body })).status);

  const operations = `${gondola.urls['order-command-handler']}/api/orders`;
  const operationsToken = (await readFile(gondola.operationsTokenFile, 'utf8')).trim();
  const asked = [{}, { authorization: `Bearer ${operationsToken}` }];
  const answers = asked.map(async (of) => (await fetch(operations, { headers: of })).status);
  ofTheDay.set('operations', await Promise.all(answers));

  const commands = `${schemaOf(PREFIX, 'order-command-handler')}.commands`;
  const count = async () => (await database.query(`SELECT FROM ${commands} WHERE state = 'done'`)).rowCount;
  const before = await count();
  const age = `interval '${RETENTION_DAYS + 1} days'`;
  await database.query(`UPDATE ${commands} SET received_at = received_at - ${age}, finished_at = finished_at - ${age}`);
  const back = await gondola.supervisor.takeAway('order-command-handler');
  await back();
  await waitFor(async () => (await count()) === 0, { describe: 'the commands of before the retention to be deleted' });
  ofTheDay.set('deleted', before);
}

afterAll(async () => {
  await kafka?.stop();
  await database?.end();
  await collector?.close();
  await rm(folder, { recursive: true, force: true });
});

interface LoneIngest {
  readonly logFile: string;
  readonly statuses: Readonly<Record<string, number>>;
  readonly schema: string;
  readonly withoutTables: boolean;
}
let lone: LoneIngest;

async function status(url: string, init: RequestInit = {}): Promise<number> {
  return (await fetch(url, init)).status;
}

/** webhook-ingest on an address, a port, a schema and a collector of its own. */
async function runLoneIngest(): Promise<LoneIngest> {
  const [port, operations] = [await freePort(), await freePort()];
  const schema = `${schemaOf(PREFIX, 'webhook-ingest')}_alone`;
  const logFile = join(LOG_DIR, 'alone.log');
  const token = 'a-token-of-the-platform-in-this-test';
  const tenants = join(folder, 'tenants.json');
  const base = {
    ...loginsAt(kafka)['webhook-ingest'],
    TOPIC_PREFIX: PREFIX,
    TOPIC_PARTITIONS: String(PARTITIONS),
    DATABASE_URL: testStack().databaseUrl,
    DATABASE_SCHEMA: schema,
    TENANTS_FILE: tenants,
    SPOOL_DIR: join(folder, 'spool'),
    HTTP_HOST: '127.0.0.2',
    HTTP_PORT: String(port),
    OPERATIONS_PORT: String(operations),
    OPERATIONS_TOKEN: 'a-token-of-operators-in-this-test',
    LOG_LEVEL: 'debug',
    MAX_BODY_BYTES: String(BODY_BYTES),
    MAX_UNANSWERED_BYTES: String(UNANSWERED_BYTES),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-shop=loja%20um',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
    OTEL_SERVICE_NAME: 'ingest-of-this-test',
  };
  const tenant = {
    id: 'acme',
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    platform: { baseUrl: 'http://127.0.0.1:9', username: 'erp-one', password: { env: 'SHOP_PASSWORD' } },
    webhook: { tokens: [{ env: 'SHOP_TOKEN' }] },
  };
  await writeFile(tenants, JSON.stringify({ tenants: [tenant] }));
  const env = { ...base, SHOP_PASSWORD: 'unused', SHOP_TOKEN: token };
  const [open, own] = [`http://127.0.0.2:${port}`, `http://127.0.0.2:${operations}`];
  // Without its tables, and not allowed to make them, it takes deliveries and says why it stores them on its disk.
  const without = await startIngest({ ...env, MIGRATIONS: 'off' }, logFile, `${own}/health/live`);
  const isPending = async () => (await (await fetch(`${own}/health/ready`)).text()).includes('MIGRATIONS_PENDING');
  const withoutTables = await waitFor(isPending, { describe: 'the reason why it has no tables' });
  await without.stop();
  const ingest = await startIngest(env, logFile, `${own}/health/ready`);
  const authorization = `Bearer ${env.OPERATIONS_TOKEN}`;
  const traced = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const deliver = (bytes: number) => ({ method: 'POST', headers: { authorization: token }, body: ' '.repeat(bytes) });
  const statuses: Record<string, number> = {
    otherAddress: await status(`http://127.0.0.1:${port}/health/live`).catch(() => 0),
    operationsAtOpenPort: await status(`${open}/health/live`),
    operationsAtOwnPort: await status(`${own}/health/live`),
    untraced: await status(`${own}/api/notifications`, { headers: { authorization } }),
    traced: await status(`${own}/api/quarantine`, { headers: { authorization, traceparent: traced } }),
    tooLarge: await status(`${open}/webhooks/platform`, deliver(BODY_BYTES + 1)),
  };
  const unfinished = [1, 2].map(() => unfinishedDelivery(open, token, BODY_BYTES - 1));
  statuses['unanswered'] = await Promise.any(unfinished.map((delivery) => delivery.status));
  for (const delivery of unfinished) delivery.abort();
  await Promise.allSettled(unfinished.map((delivery) => delivery.status));
  await ingest.stop();
  return { logFile, statuses, schema, withoutTables };
}

/** A variable whose effect another suite tests: it sets the variable on real servers, and its text names it. */
const inSuite = (path: string) => (name: string) => expect(readFileSync(join(ROOT, path), 'utf8')).toContain(name);

const dayIsPlayed = (): void => expect(ofTheDay.get('operations')).toEqual([401, 200]);
const comesInOnlyBy = (...apps: readonly (typeof KAFKA_APPS)[number][]) => {
  dayIsPlayed();
  expect(ofTheDay.get('groups')).toEqual(
    expect.arrayContaining(apps.filter((app) => app !== 'webhook-ingest').map((app) => `${PREFIX}gondola.${app}`)),
  );
};
const traces = () => collector.requests.map(({ body }) => String(body)).join('\n');

/** Evidence of each variable's effect. */
const ENTRIES: Readonly<Record<string, (name: string) => unknown>> = {
  KAFKA_BROKERS: () => comesInOnlyBy(...KAFKA_APPS),
  KAFKA_SSL: () => comesInOnlyBy('order-command-handler', 'file-gateway'),
  KAFKA_SSL_CA: () => comesInOnlyBy('order-command-handler', 'file-gateway'),
  KAFKA_SSL_CERT: () => comesInOnlyBy('file-gateway'),
  KAFKA_SSL_KEY: () => comesInOnlyBy('file-gateway'),
  KAFKA_SASL_MECHANISM: () => comesInOnlyBy('webhook-ingest', 'catalog-publisher', 'order-command-handler'),
  KAFKA_SASL_USERNAME: () => comesInOnlyBy('webhook-ingest', 'catalog-publisher', 'order-command-handler'),
  KAFKA_SASL_PASSWORD: () => comesInOnlyBy('webhook-ingest', 'catalog-publisher', 'order-command-handler'),
  KAFKA_SESSION_MS: async () =>
    expect(await logOf('order-command-handler')).toContain(`takes at most ${SESSION_MS / 1_000} s`),
  TOPIC_PREFIX: () => expect(ofTheDay.get('groups')).toContain(`${PREFIX}gondola.catalog-publisher`),
  TOPIC_PARTITIONS: () => expect(ofTheDay.get('partitions')).toBe(PARTITIONS),
  DATABASE_URL: dayIsPlayed,
  DATABASE_SCHEMA: async () => expect(await tablesOf(lone.schema)).toContain('notifications'),
  MIGRATIONS: () => expect(lone.withoutTables).toBe(true),
  TENANTS_FILE: dayIsPlayed,
  HTTP_HOST: () => expect(lone.statuses['otherAddress']).toBe(0),
  HTTP_PORT: () => expect(lone.statuses['tooLarge']).toBe(413),
  OPERATIONS_TOKEN: dayIsPlayed,
  OPERATIONS_PORT: () =>
    expect(lone.statuses).toMatchObject({ operationsAtOpenPort: 404, operationsAtOwnPort: 200, untraced: 200 }),
  LOG_LEVEL: () => expect(readFileSync(lone.logFile, 'utf8')).toMatch(/"level":(?:20|"debug")/),
  OTEL_EXPORTER_OTLP_ENDPOINT: () => expect(collector.requests).not.toEqual([]),
  OTEL_EXPORTER_OTLP_PROTOCOL: () =>
    expect(collector.requests[0]?.headers['content-type']).toContain('application/json'),
  OTEL_EXPORTER_OTLP_HEADERS: () => expect(collector.requests[0]?.headers['x-shop']).toBe('loja um'),
  OTEL_TRACES_SAMPLER: () => expect(traces()).toContain('/api/quarantine'),
  OTEL_TRACES_SAMPLER_ARG: () => expect(traces()).not.toContain('/api/notifications'),
  OTEL_SERVICE_NAME: () => expect(traces()).toContain('ingest-of-this-test'),
  LANE_LEASE_MS: inSuite('apps/catalog-publisher/test/support/killed-app.ts'),
  PLATFORM_TIMEOUT_MS: inSuite('apps/catalog-publisher/test/route-outage.int.spec.ts'),
  LOST_ANSWER_MS: inSuite('apps/file-gateway/test/pictures.e2e.spec.ts'),
  COMMAND_RETENTION_MS: () => expect(ofTheDay.get('deleted')).toBeGreaterThan(0),
  MAX_BODY_BYTES: () => expect(lone.statuses['tooLarge']).toBe(413),
  MAX_UNANSWERED_BYTES: () => expect(lone.statuses['unanswered']).toBe(503),
  UPLOAD_MAX_BYTES: () => expect(ofTheDay.get('upload')).toBe(413),
};

const VARIABLES = Object.keys(ENTRIES);
const NEED_OPENSSL = ['KAFKA_SSL_CERT', 'KAFKA_SSL_KEY'];

async function tablesOf(schema: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1',
    [schema],
  );
  return rows.map(({ name }) => name);
}

describe('every variable of docs/running.md', () => {
  beforeAll(async () => {
    lone = await runLoneIngest();
  });

  afterAll(() => database.query(`DROP SCHEMA IF EXISTS ${lone.schema} CASCADE`));

  it('has an entry here, and no other has', () => {
    expect(VARIABLES.toSorted()).toEqual(documentedVariables().toSorted());
  });

  it.each(VARIABLES.filter((name) => !NEED_OPENSSL.includes(name)))(
    '%s has its effect on real servers',
    async (name) => {
      expect.hasAssertions();
      await ENTRIES[name]!(name);
    },
  );

  (HAS_OPENSSL ? describe : describe.skip)('on a machine with openssl, which makes a certificate', () => {
    it.each(NEED_OPENSSL)('%s has its effect on real servers', async (name) => {
      expect.hasAssertions();
      await ENTRIES[name]!(name);
    });
  });
});
