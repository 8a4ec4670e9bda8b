import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import { createTestSchema, deleteTopics, testStack, uniquePrefix } from '@gondola/local-stack/test-stack';
import { type ReadRecord, readTopics, type TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { createApp, type RunningApp } from '@gondola/service-kit/run/create-app';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Producer } from 'kafkajs';
import { Client } from 'pg';
import { appOptions } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { notification, type NotificationParts } from '@gondola/shared/testing/notification';
import { ScriptedPlatform } from './scripted-platform.ts';
import { Shop } from './shop.ts';

/** Settings of one tenant of a test. */
export interface TestTenant {
  readonly id: string;
  readonly deadlines?: Record<string, number>;
  readonly catalog?: Record<string, unknown>;
  readonly language?: string;
}

/** A record as the ERP sends it. */
export interface TestRecord {
  readonly key?: string | null;
  readonly value: object | string | null;
  readonly headers?: Record<string, string>;
}

/** What a reader of the topics sees of a result. */
export interface Told {
  readonly headers: Record<string, string>;
  readonly key: string | null;
  readonly value: Record<string, unknown>;
}

const SKUS = 'catalog.skus.v1';
const RESULTS = 'erp.catalog.results.v1';
const DEAD_LETTERS = 'dead-letters.v1';
const OF_A_PRODUCT = { relatedEntity: 'ProductWithSKUs', eventType: 'ProductWithSKUs_Updated' };
const PASSWORD = 'not-a-secret-in-a-test';

/**
 * The ERP's and the platform's side of one installation: topics and a schema of its own, and a scripted shop for each
 * tenant.
 */
export class TestInstallation {
  readonly platform: ScriptedPlatform;
  readonly prefix: string;
  readonly env: Record<string, string>;
  readonly folder: string;
  readonly schemaUrl: string;
  readonly #shops = new Map<string, Shop>();
  readonly #accounts: ReadonlyMap<string, string>;
  readonly #producer: Producer;
  readonly #undo: (() => Promise<unknown>)[] = [];
  #reader: TopicReader | undefined;
  /** Results parsed so far: a topic only grows. */
  readonly #told: Told[] = [];

  private constructor(parts: {
    platform: ScriptedPlatform;
    prefix: string;
    env: Record<string, string>;
    folder: string;
    schemaUrl: string;
    tenants: readonly TestTenant[];
    producer: Producer;
  }) {
    this.platform = parts.platform;
    this.prefix = parts.prefix;
    this.env = parts.env;
    this.folder = parts.folder;
    this.schemaUrl = parts.schemaUrl;
    this.#producer = parts.producer;
    this.#accounts = new Map(parts.tenants.map(({ id }, index) => [accountOf(index), id]));
    for (const { id } of parts.tenants) {
      this.#shops.set(id, new Shop((operationId, data) => this.notify(id, { operationId, data })));
    }
    parts.platform.onRequest = async (request) => {
      const tenant = this.#accounts.get(request.contractAccountId ?? '');
      return tenant === undefined ? { status: 401 } : this.shop(tenant).answer(request);
    };
  }

  static async create(
    label: string,
    tenants: readonly TestTenant[],
    env: Record<string, string> = {},
  ): Promise<TestInstallation> {
    const { kafkaBrokers, databaseUrl } = testStack();
    const prefix = uniquePrefix(label);
    const folder = await mkdtemp(join(tmpdir(), 'gondola-catalog-'));
    const platform = await ScriptedPlatform.start();
    const schema = await createTestSchema(label);
    const tenantsFile = join(folder, 'tenants.json');
    const file = tenants.map((tenant, index) => tenantEntry(tenant, index, platform.url));
    await writeFile(tenantsFile, JSON.stringify({ tenants: file }));
    const environment = {
      KAFKA_BROKERS: kafkaBrokers,
      TOPIC_PREFIX: prefix,
      TOPIC_PARTITIONS: '2',
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: schema.schema,
      TENANTS_FILE: tenantsFile,
      HTTP_PORT: '0',
      OPERATIONS_TOKEN: TEST_OPERATIONS_TOKEN,
      LOG_LEVEL: 'debug',
      LOST_ANSWER_MS: '200',
      PLATFORM_TIMEOUT_MS: '30000',
      LANE_LEASE_MS: '45000',
      TEST_PLATFORM_PASSWORD: PASSWORD,
      ...env,
    };
    const settings = { brokers: kafkaBrokers.split(','), ssl: false, topicPrefix: prefix, partitions: 2 };
    const producer = createKafka(settings, 'erp', createLogger({ app: 'erp', level: 'silent' })).producer();
    await producer.connect();
    const parts = { platform, prefix, env: environment, folder, schemaUrl: schema.url, tenants, producer };
    const installation = new TestInstallation(parts);
    installation.#undo.push(
      async () => {
        for (const shop of installation.#shops.values()) await shop.quiet();
      },
      () => producer.disconnect(),
      () => platform.stop(),
      () => deleteTopics(kafkaBrokers, prefix),
      () => schema.drop(),
      () => rm(folder, { recursive: true, force: true }),
    );
    return installation;
  }

  shop(tenant = 'acme'): Shop {
    return this.#shops.get(tenant)!;
  }

  /** A replica of the app in this process. */
  async startApp(logLines: string[] = []): Promise<RunningApp> {
    const logger = createLogger({
      app: APP,
      level: 'debug',
      destination: { write: (line: string) => void logLines.push(line) },
    });
    const running = await createApp(appOptions(loadConfig(this.env), logger));
    await running.start();
    this.#undo.unshift(() => running.stop());
    return running;
  }

  /** Reads what is told; the topics must exist. */
  async readTopics(): Promise<void> {
    const { kafkaBrokers } = testStack();
    this.#reader = await readTopics(
      kafkaBrokers,
      [RESULTS, DEAD_LETTERS, SKUS].map((topic) => this.prefix + topic),
    );
    this.#undo.unshift(() => this.#reader!.close());
  }

  /** Records on the topic of products in their order; a text or null is sent as it is. */
  async produce(...records: readonly TestRecord[]): Promise<void> {
    await this.produceTo('erp.catalog.products.v1', ...records);
  }

  async produceTo(topic: TopicName, ...records: readonly TestRecord[]): Promise<void> {
    const messages = records.map(({ key, value, headers }) => {
      const bytes = value === null || typeof value === 'string' ? value : JSON.stringify(value);
      const own = typeof value === 'object' && value !== null ? String(Reflect.get(value, 'externalReference')) : null;
      return { key: key === undefined ? own : key, value: bytes, ...(headers !== undefined && { headers }) };
    });
    await this.#producer.send({ topic: this.prefix + topic, messages });
  }

  /** A notification as webhook-ingest would pass it on. */
  async notify(tenant: string, parts: NotificationParts): Promise<void> {
    const { key, value } = notification(tenant, { ...OF_A_PRODUCT, ...parts });
    const headers = { ce_id: key, ce_tenant: tenant };
    const isFailed = parts.eventType === 'Operation_Failed';
    await this.#producer.send({
      topic: `${this.prefix}platform.notifications.${isFailed ? 'orders' : 'catalog'}.v1`,
      messages: [{ key, value, headers }],
    });
  }

  results(commandId?: string): Told[] {
    const records = this.#records(RESULTS);
    for (const { key, headers, value } of records.slice(this.#told.length)) {
      this.#told.push({ key, headers, value: JSON.parse(String(value)) as Record<string, unknown> });
    }
    return commandId === undefined ? this.#told : this.#told.filter(({ value }) => value['commandId'] === commandId);
  }

  /** Waits until a record has so many results, and returns the last of them. */
  async resultOf(commandId: string, count = 1): Promise<Told> {
    const describe = `${count} results of ${commandId}`;
    await this.#reader!.waitForRecords(() => this.results(commandId).length >= count, { describe });
    return this.results(commandId)[count - 1]!;
  }

  /** What was told of a SKU, oldest first. */
  skus(reference: string): ReadRecord[] {
    return this.#records(SKUS).filter(({ key }) => key?.endsWith(`/${reference}`) ?? false);
  }

  /** Waits until so much was told of a SKU, and returns the last of it. */
  async skuOf(reference: string, count = 1): Promise<ReadRecord> {
    const describe = `${count} snapshots of ${reference}`;
    await this.#reader!.waitForRecords(() => this.skus(reference).length >= count, { describe });
    return this.skus(reference)[count - 1]!;
  }

  async deadLetters(count: number): Promise<ReadRecord[]> {
    const describe = `${count} dead letters`;
    await this.#reader!.waitForRecords(() => this.#records(DEAD_LETTERS).length >= count, { describe });
    return this.#records(DEAD_LETTERS);
  }

  /** Waits for a condition of the test's own. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await waitFor(condition, { describe: 'a condition of the test' });
  }

  /** One statement in the app's schema. */
  async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.schemaUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    for (const undo of this.#undo) await undo();
  }

  #records(topic: string): ReadRecord[] {
    return this.#reader!.records().filter((record) => record.topic === this.prefix + topic);
  }
}

function accountOf(index: number): string {
  return `11111111-1111-4111-8111-11111111111${index}`;
}

function tenantEntry({ id, deadlines, catalog, language }: TestTenant, index: number, baseUrl: string): object {
  return {
    id,
    contractAccountId: accountOf(index),
    ...(language !== undefined && { language }),
    platform: { baseUrl, username: `erp-${id}`, password: { env: 'TEST_PLATFORM_PASSWORD' } },
    ...(deadlines !== undefined && { deadlines }),
    ...(catalog !== undefined && { catalog }),
  };
}
