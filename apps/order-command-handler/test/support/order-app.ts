import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
import { createApp, type RunningApp } from '@gondola/service-kit/run/create-app';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { Reason } from '@gondola/shared/results/reason-codes';
import type { ResultParts } from '@gondola/shared/results/result';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { Message, Producer } from 'kafkajs';
import { appOptions } from '../../src/app.module.ts';
import { APP, loadConfig } from '../../src/config.ts';
import { notification, type NotificationParts } from '@gondola/shared/testing/notification';
import { goneSkuMessage, pdfResultMessage, skuMessage } from './other-apps.ts';
import { ScriptedPlatform } from './scripted-platform.ts';

const TENANT = 'acme';

export interface OrderAppOptions {
  readonly commandMs?: number;
  readonly invoiceMs?: number;
  readonly lostAnswerMs?: number;
  readonly platformTimeoutMs?: number;
  readonly cancelReadMs?: number;
}

/** What a reader of the topics sees of a result or an event. */
export interface PublishedRecord {
  readonly headers: Record<string, string>;
  readonly key: string | null;
  readonly value: Record<string, unknown>;
  readonly bytes: Buffer;
}

/**
 * The whole app in this process, against real Kafka and PostgreSQL and a scripted platform, with the ERP's side at
 * hand.
 */
export class OrderApp {
  readonly platform: ScriptedPlatform;
  readonly logLines: string[];
  readonly running: RunningApp;
  readonly #producer: Producer;
  readonly #reader: TopicReader;
  readonly #prefix: string;
  readonly #undo: readonly (() => Promise<unknown>)[];

  private constructor(parts: {
    platform: ScriptedPlatform;
    logLines: string[];
    running: RunningApp;
    producer: Producer;
    reader: TopicReader;
    prefix: string;
    undo: readonly (() => Promise<unknown>)[];
  }) {
    this.platform = parts.platform;
    this.logLines = parts.logLines;
    this.running = parts.running;
    this.#producer = parts.producer;
    this.#reader = parts.reader;
    this.#prefix = parts.prefix;
    this.#undo = parts.undo;
  }

  static async start(label: string, options: OrderAppOptions = {}): Promise<OrderApp> {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      return await OrderApp.#start(label, options, undo);
    } catch (error) {
      await undoAll(undo);
      throw error;
    }
  }

  static async #start(label: string, options: OrderAppOptions, undo: (() => Promise<unknown>)[]): Promise<OrderApp> {
    const { kafkaBrokers } = testStack();
    const prefix = uniquePrefix(label);
    const folder = await mkdtemp(join(tmpdir(), 'gondola-orders-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const platform = await ScriptedPlatform.start();
    undo.push(() => platform.stop());
    const schema = await createTestSchema(label);
    undo.push(() => schema.drop());
    const file = await tenantsFile(folder, platform.url, options);
    const config = loadConfig(environment({ prefix, schema, tenantsFile: file, options }));
    const logLines: string[] = [];
    const destination = { write: (line: string) => void logLines.push(line) };
    const running = await createApp(appOptions(config, createLogger({ app: APP, level: 'debug', destination })));
    undo.push(
      () => deleteTopics(kafkaBrokers, prefix),
      () => running.stop(),
    );
    await running.start();
    const producer = createKafka(config.kafka, 'erp', createLogger({ app: 'erp', level: 'silent' })).producer();
    undo.push(() => producer.disconnect());
    await producer.connect();
    const published = ['erp.orders.events.v1', 'erp.orders.results.v1', 'erp.files.commands.v1', 'dead-letters.v1'];
    const topics = published.map((topic) => prefix + topic);
    const reader = await readTopics(kafkaBrokers, topics);
    undo.push(() => reader.close());
    return new OrderApp({ platform, logLines, running, producer, reader, prefix, undo });
  }

  /** `TOPIC_PREFIX` of this installation. */
  get prefix(): string {
    return this.#prefix;
  }

  /** Notifications as webhook-ingest would pass them on, all in one batch. */
  async notify(...all: readonly NotificationParts[]): Promise<void> {
    const messages = all.map((parts) => {
      const { key, value } = notification(TENANT, parts);
      const headers = { ce_id: key, ce_tenant: TENANT, ce_type: `platform.${parts.eventType ?? 'Order_Updated'}` };
      // One partition keeps the order in which a test gives them.
      return { key, value, headers, partition: 0 };
    });
    await this.#producer.send({ topic: `${this.#prefix}platform.notifications.orders.v1`, messages });
  }

  /** A record on the topic of commands; a text is sent as it is. */
  async command(command: Record<string, unknown> | string, headers: Record<string, string> = {}): Promise<void> {
    const value = typeof command === 'string' ? command : JSON.stringify(command);
    const key = typeof command === 'string' ? null : String(command['orderNumber']);
    await this.#producer.send({ topic: `${this.#prefix}erp.orders.commands.v1`, messages: [{ key, value, headers }] });
  }

  /** A SKU as catalog-publisher publishes it, and waits until the app has `count` of them. */
  async sku(skuExternalReference: string, more: Partial<SkuSnapshot>, count: number): Promise<void> {
    await this.#sendSku(skuMessage(TENANT, { skuExternalReference, ...more }), count);
  }

  /** A SKU that the catalog has no more, and waits until the app has `count` of them. */
  async skuGone(skuExternalReference: string, count: number): Promise<void> {
    await this.#sendSku(goneSkuMessage(TENANT, skuExternalReference), count);
  }

  /** What the file gateway says of the PDF that a command asked for. */
  async pdfResult(parentCommandId: string, more: Pick<ResultParts, 'outcome'> & Partial<ResultParts>): Promise<void> {
    const message = pdfResultMessage(TENANT, parentCommandId, more);
    await this.#producer.send({ topic: `${this.#prefix}erp.files.results.v1`, messages: [message] });
  }

  /** The file gateway's answer to the check of a command's PDF: good, unless a reason is given. */
  async pdfChecked(
    orderNumber: number,
    parentCommandId: string,
    reason: Reason | null = null,
  ): Promise<PublishedRecord> {
    const checks = (): PublishedRecord[] =>
      this.#published('erp.files.commands.v1').filter(({ value }) => value['commandId'] === `${parentCommandId}/chk`);
    await this.#reader.waitForRecords(() => checks().length > 0, { describe: `the check for ${orderNumber}` });
    const data = { sha256: '', size: 1, expiresAt: new Date(Date.now() + 3_600_000_000).toISOString() };
    const about = { commandId: `${parentCommandId}/chk`, command: 'CheckInvoicePdf', evidence: 'none' } as const;
    const end = reason === null ? ({ outcome: 'applied', data } as const) : ({ outcome: 'invalid', reason } as const);
    await this.pdfResult(parentCommandId, { ...about, ...end });
    return checks()[0]!;
  }

  /** The uploads that the file gateway was asked for. */
  async pdfCommands(orderNumber: number, count: number): Promise<PublishedRecord[]> {
    const all = (): PublishedRecord[] =>
      this.#published('erp.files.commands.v1').filter(
        ({ value }) => value['orderNumber'] === orderNumber && value['command'] === 'UploadInvoicePdf',
      );
    await this.#reader.waitForRecords(() => all().length >= count, { describe: `${count} PDF commands` });
    return all();
  }

  events(orderNumber?: number): PublishedRecord[] {
    const events = this.#published('erp.orders.events.v1');
    return orderNumber === undefined ? events : events.filter(({ value }) => value['orderNumber'] === orderNumber);
  }

  results(commandId?: string): PublishedRecord[] {
    const results = this.#published('erp.orders.results.v1');
    return commandId === undefined ? results : results.filter(({ value }) => value['commandId'] === commandId);
  }

  deadLetters(): ReadRecord[] {
    return this.#reader.records().filter(({ topic }) => topic === `${this.#prefix}dead-letters.v1`);
  }

  /** Waits until so many events of the order are published, and returns them. */
  async eventsOf(orderNumber: number, count: number): Promise<PublishedRecord[]> {
    const describe = `${count} events of ${orderNumber}`;
    await this.#reader.waitForRecords(() => this.events(orderNumber).length >= count, { describe });
    return this.events(orderNumber);
  }

  /** Waits for the first result of a command. */
  async resultOf(commandId: string, count = 1): Promise<PublishedRecord> {
    const describe = `${count} results of ${commandId}`;
    await this.#reader.waitForRecords(() => this.results(commandId).length >= count, { describe });
    return this.results(commandId)[count - 1]!;
  }

  async deadLetter(count: number): Promise<ReadRecord[]> {
    await this.#reader.waitForRecords(() => this.deadLetters().length >= count, { describe: `${count} dead letters` });
    return this.deadLetters();
  }

  async get(path: string): Promise<{ status: number; body: unknown }> {
    const response = await asOperator(`${this.running.url}${path}`);
    return { status: response.status, body: await response.json() };
  }

  /** Waits for a condition of the test's own. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await waitFor(condition, { describe: 'a condition of the test' });
  }

  async stop(): Promise<void> {
    await undoAll(this.#undo);
  }

  async #sendSku(message: Message, count: number): Promise<void> {
    await this.#producer.send({ topic: `${this.#prefix}catalog.skus.v1`, messages: [message] });
    await this.until(async () => ((await this.get('/api/counts')).body as { skus: number }).skus === count);
  }

  #published(topic: string): PublishedRecord[] {
    return this.#reader
      .records()
      .filter((record) => record.topic === this.#prefix + topic && record.value !== null)
      .map(({ key, headers, value }) => {
        const bytes = value ?? Buffer.alloc(0);
        return { key, headers, bytes, value: JSON.parse(bytes.toString('utf8')) as Record<string, unknown> };
      });
  }
}

/** The last first. */
async function undoAll(undo: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const step of undo.toReversed()) await step();
}

function environment(about: {
  prefix: string;
  schema: TestSchema;
  tenantsFile: string;
  options: OrderAppOptions;
}): Record<string, string> {
  const { kafkaBrokers, databaseUrl } = testStack();
  const { lostAnswerMs = 200, platformTimeoutMs = 30_000, cancelReadMs = 60_000 } = about.options;
  return {
    KAFKA_BROKERS: kafkaBrokers,
    TOPIC_PREFIX: about.prefix,
    TOPIC_PARTITIONS: '2',
    DATABASE_URL: databaseUrl,
    DATABASE_SCHEMA: about.schema.schema,
    TENANTS_FILE: about.tenantsFile,
    HTTP_PORT: '0',
    OPERATIONS_TOKEN: TEST_OPERATIONS_TOKEN,
    LOG_LEVEL: 'debug',
    LOST_ANSWER_MS: String(lostAnswerMs),
    PLATFORM_TIMEOUT_MS: String(platformTimeoutMs),
    CANCEL_READ_MS: String(cancelReadMs),
    TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test',
  };
}

async function tenantsFile(
  folder: string,
  baseUrl: string,
  { commandMs = 60_000, invoiceMs = 60_000 }: OrderAppOptions,
): Promise<string> {
  const file = join(folder, 'tenants.json');
  const tenant = {
    id: TENANT,
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    platform: { baseUrl, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } },
    deadlines: { commandMs, invoiceMs },
  };
  await writeFile(file, JSON.stringify({ tenants: [tenant] }));
  return file;
}
