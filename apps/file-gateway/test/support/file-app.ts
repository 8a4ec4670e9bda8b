import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTestSchema,
  deleteTopics,
  type TestSchema,
  testStack,
  uniquePrefix,
} from '@gondola/local-stack/test-stack';
import { asOperator, TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import { type ReadRecord, readTopics, type TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { skuRecord, skuTombstone } from '@gondola/messaging/codec/sku-record';
import type { OutRecord } from '@gondola/messaging/codec/record-codec';
import { wireMessage } from '@gondola/messaging/testing/wire-message';
import { createApp, type RunningApp } from '@gondola/service-kit/run/create-app';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { buildSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { Producer } from 'kafkajs';
import { appOptions } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { notification, type NotificationParts } from '@gondola/shared/testing/notification';
import { ScriptedPlatform } from './scripted-platform.ts';
import { type Deadlines, OTHER_TOKEN, TENANT, TOKEN, writeTenants } from './tenants.ts';

export interface FileAppOptions {
  readonly env?: Record<string, string>;
  /** Of the hasty tenant. */
  readonly deadlines?: Deadlines;
}

/** A result as a reader of the topic sees it. */
export interface PublishedResult {
  readonly key: string | null;
  readonly headers: Record<string, string>;
  readonly value: Record<string, unknown>;
}

/**
 * The whole app in this process, against real Kafka and PostgreSQL and a scripted platform, with the ERP's side at
 * hand.
 */
export class FileApp {
  private constructor(
    readonly platform: ScriptedPlatform,
    readonly running: RunningApp,
    readonly logLines: readonly string[],
    private readonly erp: { readonly producer: Producer; readonly reader: TopicReader },
    /** `TOPIC_PREFIX` of this installation. */
    readonly prefix: string,
    private readonly undo: readonly (() => Promise<unknown>)[],
  ) {}

  static async start(label: string, options: FileAppOptions = {}): Promise<FileApp> {
    const { kafkaBrokers } = testStack();
    const prefix = uniquePrefix(label);
    const folder = await mkdtemp(join(tmpdir(), 'gondola-files-'));
    const platform = await ScriptedPlatform.start();
    const schema = await createTestSchema(label);
    const file = await writeTenants(folder, platform.url, options.deadlines);
    const config = loadConfig(environment(prefix, schema, file, options));
    const logLines: string[] = [];
    const destination = { write: (line: string) => void logLines.push(line) };
    const logger = createLogger({ app: APP, level: 'debug', destination });
    const running = await createApp(appOptions(config, logger));
    await running.start();
    const producer = createKafka(config.kafka, 'erp', createLogger({ app: 'erp', level: 'silent' })).producer();
    await producer.connect();
    const topics = ['erp.files.results.v1', 'dead-letters.v1'].map((topic) => prefix + topic);
    const reader = await readTopics(kafkaBrokers, topics);
    const undo = [
      () => producer.disconnect(),
      () => reader.close(),
      () => running.stop(),
      () => platform.stop(),
      () => deleteTopics(kafkaBrokers, prefix),
      () => schema.drop(),
      () => rm(folder, { recursive: true, force: true }),
    ];
    return new FileApp(platform, running, logLines, { producer, reader }, prefix, undo);
  }

  /** Uploads content as a raw body, and gives its id. */
  async upload(content: Buffer, token = TOKEN): Promise<string> {
    const response = await this.post(content, { authorization: `Bearer ${token}` });
    const { uploadId } = (await response.json()) as { uploadId: string };
    return uploadId;
  }

  async post(body: Buffer | FormData, headers: Record<string, string> = {}): Promise<Response> {
    const content = body instanceof FormData ? body : new Uint8Array(body);
    return fetch(`${this.running.url}/uploads`, { method: 'POST', headers, body: content });
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    const call = path.startsWith('/api') ? asOperator : fetch;
    const response = await call(`${this.running.url}${path}`, { headers });
    return { status: response.status, body: await response.json() };
  }

  get database(): Database {
    return this.running.app.get(Database);
  }

  /** Notifications as webhook-ingest would pass them on. */
  async notify(...all: readonly NotificationParts[]): Promise<void> {
    const messages = all.map((each) => {
      const { key, value } = notification(TENANT, each);
      return { key, value, headers: { ce_id: key, ce_tenant: TENANT }, partition: 0 };
    });
    await this.erp.producer.send({ topic: `${this.prefix}platform.notifications.orders.v1`, messages });
  }

  /** The catalog publishes that the platform has a SKU, or has it no more. */
  async publishSku(skuExternalReference: string, exists = true, tenant = TENANT): Promise<void> {
    const time = new Date().toISOString();
    const about = { tenant, skuExternalReference, version: 1, time };
    const cause = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
    await this.#send(exists ? skuRecord(snapshotOf(about), cause) : skuTombstone(about, cause));
  }

  /** The catalog publishes that the platform has a SKU, and the app knows it from then on. */
  async knowSku(skuExternalReference: string, tenant = TENANT): Promise<void> {
    await this.publishSku(skuExternalReference, true, tenant);
    await this.until(`SKU ${skuExternalReference}`, () => this.isKnown(skuExternalReference));
  }

  async isKnown(skuExternalReference: string): Promise<boolean> {
    const text = 'SELECT 1 FROM skus WHERE external_reference = $1';
    return (await this.database.query(text, [skuExternalReference])).rows.length > 0;
  }

  /** A record on the topic of commands; a text is sent as it is. */
  async command(
    command: Record<string, unknown> | string,
    headers: Record<string, string> = { ce_tenant: TENANT },
  ): Promise<void> {
    const value = typeof command === 'string' ? command : JSON.stringify(command);
    const key = typeof command === 'string' ? null : String(command['skuExternalReference'] ?? command['orderNumber']);
    await this.erp.producer.send({ topic: `${this.prefix}erp.files.commands.v1`, messages: [{ key, value, headers }] });
  }

  /** `PublishSkuImages` of uploads, the first of which is the main image. */
  async publish(sku: string, uploadIds: readonly string[], tenant = TENANT): Promise<string> {
    const commandId = randomUUID();
    const images = uploadIds.map((uploadId, index) => ({ order: index + 1, content: { uploadId } }));
    const command = { commandId, command: 'PublishSkuImages', skuExternalReference: sku, images };
    await this.command(command, { ce_tenant: tenant });
    return commandId;
  }

  /** `UploadInvoicePdf` as the order saga sends it. */
  async attach(
    order: { number: number; id: string },
    uploadId: string,
    parent: string = randomUUID(),
    tenant = TENANT,
  ): Promise<string> {
    const commandId = `${parent}/pdf`;
    const { number: orderNumber, id: orderId } = order;
    const about = { orderNumber, orderId, content: { uploadId }, parentCommandId: parent };
    await this.command({ commandId, command: 'UploadInvoicePdf', ...about }, { ce_tenant: tenant });
    return commandId;
  }

  /** `CheckInvoicePdf` as the order saga sends it before it registers an invoice. */
  async check(orderNumber: number, uploadId: string, parent: string = randomUUID()): Promise<string> {
    const commandId = `${parent}/chk`;
    const about = { orderNumber, content: { uploadId }, parentCommandId: parent };
    await this.command({ commandId, command: 'CheckInvoicePdf', ...about });
    return commandId;
  }

  results(commandId: string): PublishedResult[] {
    return this.erp.reader
      .records()
      .filter(({ topic, value }) => topic === `${this.prefix}erp.files.results.v1` && value !== null)
      .map(({ key, headers, value }) => ({ key, headers, value: JSON.parse(String(value)) as Record<string, unknown> }))
      .filter(({ value }) => value['commandId'] === commandId);
  }

  deadLetters(): ReadRecord[] {
    return this.erp.reader.records().filter(({ topic }) => topic === `${this.prefix}dead-letters.v1`);
  }

  /** Waits for the first result of a command, or the one after so many. */
  async resultOf(commandId: string, count = 1): Promise<PublishedResult> {
    const describe = `${count} results of ${commandId}`;
    await this.erp.reader.waitForRecords(() => this.results(commandId).length >= count, { describe });
    return this.results(commandId)[count - 1]!;
  }

  async deadLetter(count: number): Promise<ReadRecord[]> {
    await this.erp.reader.waitForRecords(() => this.deadLetters().length >= count, {
      describe: `${count} dead letters`,
    });
    return this.deadLetters();
  }

  /** Waits for a condition of the test's own. */
  async until(describe: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await waitFor(condition, { describe });
  }

  /** Rows of a table. */
  async count(table: 'uploads' | 'upload_chunks' | 'platform_failures' | 'order_ids' | 'skus'): Promise<number> {
    const { rows } = await this.database.query<{ n: number }>(`SELECT count(*)::float8 AS n FROM ${table}`);
    return rows[0]!.n;
  }

  async stop(): Promise<void> {
    for (const undo of this.undo) await undo();
  }

  async #send(record: OutRecord): Promise<void> {
    const messages = [wireMessage(record, 'catalog-publisher')];
    await this.erp.producer.send({ topic: this.prefix + record.topic, messages });
  }
}

function snapshotOf(about: { tenant: string; skuExternalReference: string; version: number; time: string }) {
  const unknown = { skuId: null, productId: null, name: null, ean: null, reference: null };
  const rest = { productExternalReference: 'p', unitOfMeasurement: null, arithmeticFactor: null, active: true };
  return buildSkuSnapshot({ ...about, ...unknown, ...rest });
}

function environment(
  prefix: string,
  { schema }: TestSchema,
  file: string,
  { env = {} }: FileAppOptions,
): Record<string, string> {
  const { kafkaBrokers, databaseUrl } = testStack();
  return {
    KAFKA_BROKERS: kafkaBrokers,
    TOPIC_PREFIX: prefix,
    TOPIC_PARTITIONS: '2',
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: schema,
    TENANTS_FILE: file,
    HTTP_PORT: '0',
    OPERATIONS_TOKEN: TEST_OPERATIONS_TOKEN,
    LOG_LEVEL: 'debug',
    LOST_ANSWER_MS: '200',
    READ_BACK_MS: '50',
    PLATFORM_TIMEOUT_MS: '30000',
    PLATFORM_UPLOAD_TIMEOUT_MS: '30000',
    TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test',
    TEST_UPLOAD_TOKEN: TOKEN,
    TEST_OTHER_TOKEN: OTHER_TOKEN,
    ...env,
  };
}
