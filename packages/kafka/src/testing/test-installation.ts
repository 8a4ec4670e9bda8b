import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type AppProcess, startAppProcess } from '@gondola/local-stack/testing/app-process';
import { type ApiAnswer, asOperator, callApi, TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import {
  createTestSchema,
  deleteTopics,
  type TestSchema,
  type TestStack,
  testStack,
  uniquePrefix,
} from '@gondola/local-stack/test-stack';
import { type ReadRecord, readTopics, type TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { createLogger, type Logger } from '@gondola/service-kit/logging/logger';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { createWatchedApp } from '@gondola/service-kit/testing/documented-answers';
import { notification, type NotificationParts } from '@gondola/shared/testing/notification';
import type { TopicName } from '@gondola/shared/topics/topics';
import type { Message, Producer } from 'kafkajs';
import { Client, type QueryResultRow } from 'pg';

import { createKafka } from '../client/kafka-client.ts';
import { contractProblems, valueProblems } from './contract-problems.ts';

export interface InstallationOptions {
  /** Part of the names of topics and schema, so that leftovers can be identified. */
  readonly label: string;
  /** Entries of the tenants file. */
  readonly tenants: readonly object[];
  /** Environment of this app in addition to that of every app with lanes; overrides it. */
  readonly env?: Readonly<Record<string, string>>;
  /** Servers of the suite alone, in place of those of the test stack. */
  readonly servers?: Partial<TestStack>;
}

/** A record of a topic whose values are JSON objects. */
export interface PublishedRecord {
  readonly key: string | null;
  readonly headers: Record<string, string>;
  readonly value: Record<string, unknown>;
  readonly bytes: Buffer;
}

/** Account of a tenant whose test names none. */
export const TEST_ACCOUNT = '11111111-1111-4111-8111-111111111111';

/** Entry of the tenants file: `acme`, with its platform at an address, unless the sections say otherwise. */
export function tenantOn(baseUrl: string, sections: { readonly [section: string]: unknown } = {}): object {
  const platform = { baseUrl, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } };
  return { id: 'acme', contractAccountId: TEST_ACCOUNT, platform, ...sections };
}

const DEAD_LETTERS = 'dead-letters.v1';

/**
 * An installation for one suite of an app with lanes, on the real Kafka and PostgreSQL of the test stack: its own
 * topics and schema, with a producer and a reader for the ERP's side. `startApp` runs the app in this process, and each
 * of its answers must be one of its own OpenAPI document.
 */
export class TestInstallation {
  readonly logLines: string[] = [];
  readonly #undo: (() => Promise<unknown>)[] = [];
  /** Throw if an app of this process gave an undocumented answer. */
  readonly #answerChecks: (() => Promise<void>)[] = [];
  readonly #published = new Map<string, PublishedRecord[]>();
  #producer: Producer | undefined;
  #reader: TopicReader | undefined;
  #running: RunningApp | undefined;

  private constructor(
    /** `TOPIC_PREFIX`. */
    readonly prefix: string,
    readonly folder: string,
    /** URL of a connection into the app's schema. */
    readonly schemaUrl: string,
    readonly env: Readonly<Record<string, string>>,
  ) {}

  /** `onClose` runs last, for example to stop the platform that the tenants name. */
  static async create(
    { label, tenants, env = {}, servers = {} }: InstallationOptions,
    onClose: () => Promise<unknown> = async () => {},
  ): Promise<TestInstallation> {
    const { kafkaBrokers = testStack().kafkaBrokers, databaseUrl = testStack().databaseUrl } = servers;
    const prefix = uniquePrefix(label);
    const folder = await mkdtemp(join(tmpdir(), `gondola-${label}-`));
    const schema = servers.databaseUrl === undefined ? await createTestSchema(label) : schemaOf(servers.databaseUrl);
    const tenantsFile = join(folder, 'tenants.json');
    await writeFile(tenantsFile, JSON.stringify({ tenants }));
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
      TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test',
      ...env,
    };
    const installation = new TestInstallation(prefix, folder, schema.url, environment);
    installation.#undo.push(
      onClose,
      () => rm(folder, { recursive: true, force: true }),
      () => schema.drop(),
      () => deleteTopics(kafkaBrokers, prefix),
    );
    return installation;
  }

  /** The app that was started first. */
  get running(): RunningApp {
    if (this.#running === undefined) throw new Error('The test has started no app');
    return this.#running;
  }

  /** Starts a replica of an app in this process, which logs into `logLines`; `close` stops it. */
  async startApp(
    app: string,
    optionsOf: (env: Readonly<Record<string, string>>, logger: Logger) => AppOptions,
    logLines: string[] = this.logLines,
  ): Promise<RunningApp> {
    const destination = { write: (line: string) => void logLines.push(line) };
    const options = optionsOf(this.env, createLogger({ app, level: 'debug', destination }));
    const { running, checkAnswers } = await createWatchedApp(options);
    this.#answerChecks.push(checkAnswers);
    this.#undo.push(() => running.stop());
    await running.start();
    this.#running ??= running;
    return running;
  }

  /** Starts the app of a folder as a process of its own; `close` kills it at the latest. */
  async startProcess(folder: string, env: Readonly<Record<string, string>> = {}): Promise<AppProcess> {
    const options = { folder, env: { ...this.env, ...env }, logFile: this.logFile };
    const child = await startAppProcess(options);
    this.#undo.push(() => child.kill());
    return child;
  }

  /** Log of the processes. */
  get logFile(): string {
    return join(this.folder, 'app.log');
  }

  /** Reads topics, and dead letters, from their beginning; the topics must exist. */
  async readTopics(...topics: readonly TopicName[]): Promise<void> {
    const names = [...topics, DEAD_LETTERS].map((topic) => this.prefix + topic);
    const reader = await readTopics(this.env['KAFKA_BROKERS']!, names, contractProblems(this.prefix));
    this.#undo.push(() => reader.close());
    this.#reader = reader;
  }

  /**
   * Sends messages to a topic, in order if they have one key or partition; each must match the contract's schema.
   */
  async send(topic: TopicName, ...messages: readonly Message[]): Promise<void> {
    const problems = messages.flatMap(({ value }) => valueProblems(topic, value));
    if (problems.length > 0) throw new Error(`A record for ${topic} breaks the contract: ${problems.join('\n')}`);
    await this.sendBad(topic, ...messages);
  }

  /** Sends messages that break the contract on purpose. */
  async sendBad(topic: TopicName, ...messages: readonly Message[]): Promise<void> {
    this.#producer ??= await this.#connect();
    await this.#producer.send({ topic: this.prefix + topic, messages: [...messages] });
  }

  /**
   * Sends notifications as webhook-ingest publishes them, to one partition, which preserves the order given by the
   * test.
   */
  async notify(
    tenant: string,
    notifications: readonly NotificationParts[],
    topic: TopicName = 'platform.notifications.orders.v1',
  ): Promise<void> {
    const messages = notifications.map((parts) => {
      const { key, value } = notification(tenant, parts);
      const headers = { ce_id: key, ce_tenant: tenant, ce_type: `platform.${parts.eventType ?? 'Order_Updated'}` };
      return { key, value, headers, partition: 0 };
    });
    await this.send(topic, ...messages);
  }

  /** Records of a topic so far, oldest first, without tombstones. */
  published(topic: TopicName): readonly PublishedRecord[] {
    const known = this.#published.get(topic) ?? [];
    const records = this.records(topic).filter(({ value }) => value !== null);
    // A topic only grows, so each record is parsed once.
    for (const { key, headers, value } of records.slice(known.length)) {
      const bytes = value ?? Buffer.alloc(0);
      known.push({ key, headers, bytes, value: JSON.parse(bytes.toString('utf8')) as Record<string, unknown> });
    }
    this.#published.set(topic, known);
    return known;
  }

  /** Records of a topic as Kafka has them, including tombstones. */
  records(topic: TopicName): ReadRecord[] {
    return this.#theReader()
      .records()
      .filter((record) => record.topic === this.prefix + topic);
  }

  /** Results of a command, oldest first. */
  results(topic: TopicName, commandId: string): PublishedRecord[] {
    return this.published(topic).filter(({ value }) => value['commandId'] === commandId);
  }

  /** Waits until a command has `count` results, and returns the last of them. */
  async resultOf(topic: TopicName, commandId: string, count = 1): Promise<PublishedRecord> {
    const results = () => this.results(topic, commandId);
    return (await this.untilCount(`${count} results of ${commandId}`, results, count))[count - 1]!;
  }

  /** Waits for `count` dead letters. */
  async deadLetters(count: number): Promise<ReadRecord[]> {
    return this.untilCount(`${count} dead letters`, () => this.records(DEAD_LETTERS), count);
  }

  /** Waits until `look` returns `count` members. */
  async untilCount<T>(describe: string, look: () => T[], count: number): Promise<T[]> {
    await this.#theReader().waitForRecords(() => look().length >= count, { describe });
    return look();
  }

  /** Waits for a condition of the test. */
  async until(condition: () => boolean | Promise<boolean>, describe = 'a condition of the test'): Promise<void> {
    await waitFor(condition, { describe });
  }

  /** One statement in the app's schema. */
  async query<R extends QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    const client = new Client({ connectionString: this.schemaUrl });
    await client.connect();
    try {
      return (await client.query<R>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Calls the app's operations API. */
  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<ApiAnswer<unknown>> {
    return callApi(this.running, path, { method: 'POST', body, headers });
  }

  /** Response of the app; requests below `/api` carry the operations token. */
  async get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: unknown }> {
    const call = path.startsWith('/api') ? asOperator : fetch;
    const response = await call(`${this.running.url}${path}`, { headers });
    return { status: response.status, body: await response.json() };
  }

  /**
   * Stops everything that was started, the last first. Throws if an app answered what its own OpenAPI document does not
   * allow.
   */
  async close(): Promise<void> {
    for (const undo of this.#undo.splice(0).toReversed()) await undo();
    await Promise.all(this.#answerChecks.splice(0).map((check) => check()));
  }

  async #connect(): Promise<Producer> {
    const { KAFKA_BROKERS: brokers = '' } = this.env;
    const settings = { brokers: brokers.split(','), ssl: false, topicPrefix: this.prefix, partitions: 2 };
    const producer = createKafka(settings, 'erp', createLogger({ app: 'erp', level: 'silent' })).producer();
    this.#undo.push(() => producer.disconnect());
    await producer.connect();
    return producer;
  }

  #theReader(): TopicReader {
    if (this.#reader === undefined) throw new Error('The test reads no topics');
    return this.#reader;
  }
}

/** The schema of the only installation on a server. */
function schemaOf(databaseUrl: string): TestSchema {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=gondola');
  return { schema: 'gondola', url: url.href, drop: async () => {} };
}
