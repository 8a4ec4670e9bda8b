import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_OPERATIONS_TOKEN } from '@gondola/local-stack/testing/as-operator';
import { type ChildApp, FROM_SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import { createTestSchema, deleteTopics, testStack, uniquePrefix } from '@gondola/local-stack/test-stack';
import { readTopics, type TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { contractProblems } from '@gondola/messaging/testing/contract-problems';
import { createApp, type RunningApp } from '@gondola/service-kit/run/create-app';
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
const PORT_ATTEMPTS = 5;

/** The app as a process of its own. */
export interface IngestProcess extends ChildApp {
  readonly url: string;
}

/** Servers of the suite alone, in place of those of the test stack. */
export interface OwnServers {
  readonly kafkaBrokers?: string;
  readonly databaseUrl?: string;
}

function isWhole(own: OwnServers): own is Required<OwnServers> {
  return own.kafkaBrokers !== undefined && own.databaseUrl !== undefined;
}

/** The suite's own topics, schema and tenants file, and the replicas of the app that it starts on them. */
export class IngestBench {
  readonly prefix: string;
  /** Every line that any replica logged, at level `trace`. */
  readonly log: string[] = [];
  readonly env: Readonly<Record<string, string>>;
  readonly database: Database;
  /** Folder for files of the suite; removed at the end. */
  readonly folder: string;
  readonly #close: () => Promise<void>;
  #spools = 0;
  readonly #running: { stop(): Promise<unknown> }[] = [];

  private constructor(parts: {
    prefix: string;
    folder: string;
    env: Record<string, string>;
    close: () => Promise<void>;
  }) {
    this.prefix = parts.prefix;
    this.env = parts.env;
    this.folder = parts.folder;
    this.#close = parts.close;
    const { DATABASE_URL: url = '', DATABASE_SCHEMA: schema = '' } = parts.env;
    this.database = new Database({ url, schema, migrations: [], queryTimeoutMs: ANSWER_LIMIT_MS });
  }

  static async open(label: string, more: Record<string, string> = {}, own: OwnServers = {}): Promise<IngestBench> {
    const prefix = uniquePrefix(label);
    const folder = await mkdtemp(join(tmpdir(), 'gondola-ingest-'));
    const tenantsFile = join(folder, 'tenants.json');
    await writeFile(tenantsFile, JSON.stringify(TENANTS));
    const schema = own.databaseUrl === undefined ? await createTestSchema(label) : null;
    const { kafkaBrokers, databaseUrl } = isWhole(own) ? own : { ...testStack(), ...own };
    const env = {
      HTTP_PORT: '0',
      OPERATIONS_TOKEN: TEST_OPERATIONS_TOKEN,
      KAFKA_BROKERS: kafkaBrokers,
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: schema?.schema ?? 'webhook_ingest',
      TOPIC_PREFIX: prefix,
      TOPIC_PARTITIONS: String(PARTITIONS),
      TENANTS_FILE: tenantsFile,
      PLATFORM_PASSWORD: 'platform-password',
      ACME_TOKEN,
      ACME_OLD_TOKEN,
      BAIRRO_TOKEN,
      ...more,
    };
    return new IngestBench({ prefix, folder, env, close: async () => schema?.drop() });
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
    const app = await createApp({ ...replicaOptions(loadConfig(env), logger), timings: { retryMostMs: 500 } });
    this.#running.push(app);
    await app.start();
    const database = app.app.get(Database);
    if (!inboxIsAway) await waitFor(() => database.isUp(), { describe: 'PostgreSQL' });
    return app;
  }

  /**
   * Starts the app as its own process and waits until it is ready; the bench stops it at the latest. Another process
   * may take the free port before the app listens on it: then the start is tried with another port.
   */
  async startProcess(more: Record<string, string> = {}): Promise<IngestProcess> {
    const env = { ...this.env, SPOOL_DIR: this.spoolFolder(), ...more };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#startOnSomePort(env);
      } catch (error) {
        if (attempt === PORT_ATTEMPTS || !String(error).includes('EADDRINUSE')) throw error;
      }
    }
  }

  async #startOnSomePort(env: Record<string, string>): Promise<IngestProcess> {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = await startChildApp({
      name: 'webhook-ingest',
      args: FROM_SOURCES,
      cwd: APP_FOLDER,
      env: { ...env, HTTP_PORT: String(port) },
      logFile: join(this.folder, 'app.log'),
      readyUrl: `${url}/health/ready`,
    });
    this.#running.push(child);
    return { ...child, url };
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
    await deleteTopics(this.env['KAFKA_BROKERS']!, this.prefix);
    await this.#close();
    await rm(this.folder, { recursive: true });
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

const TENANTS = {
  tenants: [
    {
      id: 'acme',
      contractAccountId: ACME,
      platform: PLATFORM,
      webhook: { tokens: [{ env: 'ACME_TOKEN' }, { env: 'ACME_OLD_TOKEN' }] },
    },
    {
      id: 'bairro',
      contractAccountId: BAIRRO,
      platform: PLATFORM,
      webhook: { tokens: [{ env: 'BAIRRO_TOKEN' }], users: true },
    },
  ],
};
