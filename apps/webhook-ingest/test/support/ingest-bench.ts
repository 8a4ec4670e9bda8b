import { join } from 'node:path';
import { type AppProcess, startAppProcess } from '@gondola/local-stack/testing/app-process';
import type { TestStack } from '@gondola/local-stack/test-stack';
import { readTopics, type TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { contractProblems } from '@gondola/kafka/testing/contract-problems';
import { TestInstallation } from '@gondola/kafka/testing/test-installation';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, type Logger } from '@gondola/service-kit/logging/logger';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';
import { type Config, loadConfig } from '../../src/config.ts';
import { ingestEntities, ingestMigrations } from '../../src/database.schema.ts';
import { appOptions } from '../../src/app.module.ts';

export const ORDERS: TopicName = 'platform.notifications.orders.v1';
export const CATALOG: TopicName = 'platform.notifications.catalog.v1';
export const USERS: TopicName = 'platform.notifications.users.v1';
export const PARTITIONS = 3;

/** Two tenants: only `bairro` has its user notifications published; `acme` is replacing its token. */
export const ACME = '11111111-1111-4111-8111-111111111111';
export const BAIRRO = '22222222-2222-4222-8222-222222222222';
export const ACME_TOKEN = 'acme-webhook-token-of-today';
export const ACME_OLD_TOKEN = 'acme-webhook-token-of-yesterday';
export const BAIRRO_TOKEN = 'bairro-webhook-token-of-today';

/**
 * For suites that read the inbox right after a 200: a busy machine must not make notifications go into the spool.
 * These are the longest times that a process can be given; a replica in the suite's process has no limits at all.
 */
export const PATIENT_INBOX = { INBOX_BUDGET_MS: '10000', REQUEST_TIMEOUT_MS: '300000' };

export const APP_FOLDER = join(import.meta.dirname, '../..');

/** The suite's own topics, schema and tenants file, and the replicas of the app that it starts on them. */
export class IngestBench {
  readonly database: Database;
  #spools = 0;
  readonly #running: { stop(): Promise<unknown> }[] = [];

  private constructor(readonly installation: TestInstallation) {
    const { DATABASE_URL: url = '', DATABASE_SCHEMA: schema = '' } = installation.env;
    this.database = new Database({ url, schema, migrations: [], queryTimeoutMs: ANSWER_LIMIT_MS });
  }

  /**
   * @param servers servers of the suite alone
   * @param mirror `webhook.mirror` of `acme`
   */
  static async open(
    label: string,
    more: Record<string, string> = {},
    servers: Partial<TestStack> = {},
    mirror: object | null = null,
  ): Promise<IngestBench> {
    const secrets = { PLATFORM_PASSWORD: 'platform-password', ACME_TOKEN, ACME_OLD_TOKEN, BAIRRO_TOKEN };
    const env = { TOPIC_PARTITIONS: String(PARTITIONS), LOG_LEVEL: 'info', ...secrets, ...more };
    return new IngestBench(await TestInstallation.create({ label, tenants: tenantsWith(mirror), env, servers }));
  }

  get prefix(): string {
    return this.installation.prefix;
  }

  get env(): Readonly<Record<string, string>> {
    return this.installation.env;
  }

  /** Folder for files of the suite; removed at the end. */
  get folder(): string {
    return this.installation.folder;
  }

  /** Every line that any replica in this process logged, at level `trace`. */
  get log(): string[] {
    return this.installation.logLines;
  }

  /** A spool folder for one more replica. */
  spoolFolder(): string {
    this.#spools += 1;
    return join(this.folder, `spool-${this.#spools}`);
  }

  /**
   * Starts a replica in this process and waits until it is ready and connected to PostgreSQL, unless `inboxIsAway`.
   */
  async start(more: Record<string, string> = {}, { inboxIsAway = false } = {}): Promise<RunningApp> {
    const logger = createLogger({
      app: 'webhook-ingest',
      level: 'trace',
      destination: { write: (line) => void this.log.push(line) },
    });
    const env = { ...this.env, SPOOL_DIR: this.spoolFolder(), ...more };
    const options = { ...replicaOptions(loadConfig(env), logger), timings: { retryMostMs: 500 } };
    const app = await this.installation.startApp(options.name, () => options);
    const database = app.app.get(Database);
    if (!inboxIsAway) await waitFor(() => database.isUp(), { describe: 'PostgreSQL' });
    return app;
  }

  /** Starts the app as its own process and waits until it is ready; the bench stops it at the latest. */
  async startProcess(more: Record<string, string> = {}): Promise<AppProcess> {
    const env = { ...this.env, SPOOL_DIR: this.spoolFolder(), ...more };
    const child = await startAppProcess({ folder: APP_FOLDER, env, logFile: this.installation.logFile });
    this.#running.push(child);
    return child;
  }

  /** Stops `running` with the bench. */
  keep(running: { stop(): Promise<unknown> }): void {
    this.#running.push(running);
  }

  async read(...topics: TopicName[]): Promise<TopicReader> {
    return this.#read(topics, contractProblems(this.prefix));
  }

  /** As `read`, for senders that break the contract: an envelope is published whatever its fields hold. */
  async readAnything(...topics: TopicName[]): Promise<TopicReader> {
    return this.#read(topics);
  }

  async #read(topics: readonly TopicName[], problemsOf?: Parameters<typeof readTopics>[2]): Promise<TopicReader> {
    const names = topics.map((topic) => fullTopicName(this.prefix, topic));
    const reader = await readTopics(this.env['KAFKA_BROKERS']!, names, problemsOf);
    this.#running.push({ stop: () => reader.close() });
    return reader;
  }

  /** Rows of the suite's schema. */
  async rows<R extends Record<string, unknown>>(text: string): Promise<R[]> {
    await this.database.connect();
    return (await this.database.query<R>(text)).rows;
  }

  /**
   * Waits until every stored notification that has a topic is marked as published; no further record can follow.
   */
  async everythingSent(): Promise<void> {
    const unsent = 'SELECT count(*)::int AS count FROM notifications WHERE topic IS NOT NULL AND sent_at IS NULL';
    await waitFor(async () => (await this.rows<{ count: number }>(unsent))[0]?.count === 0, {
      describe: 'every notification to be sent',
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((running) => running.stop()));
    await this.database.close();
    await this.installation.close();
  }
}

/** Options of a replica with `PATIENT_INBOX`; without it, those of the app. */
function replicaOptions(config: Config, logger: Logger): AppOptions {
  if (config.ingest.inboxBudgetMs < Number(PATIENT_INBOX.INBOX_BUDGET_MS)) return appOptions(config, logger);
  const tables = { entities: ingestEntities, migrations: ingestMigrations };
  return {
    ...appOptions({ ...config, ingest: { ...config.ingest, inboxBudgetMs: ANSWER_LIMIT_MS } }, logger),
    database: new Database({ ...config.database, ...tables, logger, queryTimeoutMs: ANSWER_LIMIT_MS }),
  };
}

const PLATFORM = { baseUrl: 'http://127.0.0.1:9', username: 'erp-one', password: { env: 'PLATFORM_PASSWORD' } };

const tenantsWith = (mirror: object | null): object[] => [
  {
    id: 'acme',
    contractAccountId: ACME,
    platform: PLATFORM,
    webhook: { tokens: [{ env: 'ACME_TOKEN' }, { env: 'ACME_OLD_TOKEN' }], mirror },
  },
  {
    id: 'bairro',
    contractAccountId: BAIRRO,
    platform: PLATFORM,
    webhook: { tokens: [{ env: 'BAIRRO_TOKEN' }], users: true },
  },
];

/** The value of a metric without labels. */
export async function readMetric({ url }: { readonly url: string }, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
}
