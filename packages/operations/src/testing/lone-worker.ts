import 'reflect-metadata';
import { type DynamicModule, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Registry } from 'prom-client';

import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { Database, type DatabaseOptions, type Tx } from '@gondola/service-kit/database/database';
import { Health } from '@gondola/service-kit/health/health';
import { createHttpAdapter } from '@gondola/service-kit/http/http-adapter';
import { createLogger, LOGGER } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';

import type { CommandReportOptions } from '@gondola/lanes/commands/command-report';
import { Commands } from '@gondola/lanes/commands/commands';
import { CommandsModule } from '../commands.module.ts';
import { LoadCounts } from '@gondola/lanes/commands/load-counts';
import { BatchIntake } from '@gondola/lanes/intake/batch-intake';
import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import { OrderErasuresRepository } from '@gondola/lanes/erased-orders/order-erasures.repository';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { type LaneKey, Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { insertCommands, type QueuedCommand } from '@gondola/lanes/testing/command-life';
import { TEST_QUERY_TIMEOUT_MS } from '@gondola/lanes/testing/test-database';
import type { TestInstallation } from '@gondola/kafka/testing/test-installation';

/** Settings of a worker, also as the JSON argument of a process. */
export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  /** The only tenant that it works for. */
  readonly tenant: string;
}

/** An app, as far as its lanes are concerned. */
export interface LoneApp<L extends string> {
  readonly name: string;
  readonly database: Pick<DatabaseOptions, 'entities' | 'migrations' | 'poolSize'>;
  /** Module with the app's steps. */
  readonly lanes: Type;
  readonly report: CommandReportOptions<L>;
  /** Settings of the app beside those of every lane. */
  readonly config: { readonly times: object; readonly [group: string]: unknown };
}

const SECRETS = { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test', TEST_SFTP_PASSWORD: 'not-a-secret-either' };
/** Longer than any test: `endLeases` ends the leases of a killed worker. */
const TIMES = { leaseMs: 600_000, platformTimeoutMs: 60_000 };

/** Options of a worker on an installation. */
export function workerOptions({ env }: TestInstallation, tenant: string): LoneWorkerOptions {
  return { url: env['DATABASE_URL']!, schema: env['DATABASE_SCHEMA']!, tenantsFile: env['TENANTS_FILE']!, tenant };
}

@Module({})
class WithoutKafka {}

/** The workers of an app's lanes without its consumers and its relay: what they publish is found in the outbox. */
export abstract class LoneWorker {
  protected constructor(
    private readonly app: INestApplicationContext,
    readonly tenant: string,
  ) {}

  protected static async open<L extends string>(
    { name, lanes, report, ...app }: LoneApp<L>,
    { url, schema, tenantsFile, tenant }: LoneWorkerOptions,
  ): Promise<INestApplicationContext> {
    const tenants = loadTenants(tenantsFile, SECRETS, ['platform', 'uploads', 'sftp']);
    const own = tenants.filter(({ id }) => id === tenant);
    const config = { ...app.config, tenants: own, times: { ...TIMES, ...app.config.times } };
    const provided = [
      { provide: CONFIG, useValue: config },
      { provide: TENANTS, useValue: own },
      { provide: LOGGER, useValue: createLogger({ app: name, level: 'warn' }) },
      {
        provide: Database,
        useValue: new Database({ url, schema, queryTimeoutMs: TEST_QUERY_TIMEOUT_MS, ...app.database }),
      },
      { provide: Registry, useValue: new Registry() },
      { provide: Outbox, useValue: new Outbox(name) },
      { provide: OutboxRelay, useValue: { wake: () => {}, isActive: () => false } },
      { provide: ConsumedRecords, useValue: { upTo: () => Infinity, ask: () => 0 } },
      { provide: BatchIntake, useValue: {} },
    ];
    const made = [
      ShadowModes,
      Clock,
      Randomness,
      Health,
      UnsweptRows,
      Lanes,
      Commands,
      LoadCounts,
      OrderErasuresRepository,
    ];
    const module: DynamicModule = {
      module: WithoutKafka,
      global: true,
      imports: [CommandsModule.register(report), lanes],
      providers: [...provided, ...made],
      exports: [...provided.map(({ provide }) => provide), ...made],
    };
    // With HTTP, because routes may stand among an app's providers; nothing listens.
    const context = await NestFactory.create(module, createHttpAdapter({}), { logger: ['error'], abortOnError: false });
    return context.init();
  }

  get database(): Database {
    return this.get(Database);
  }

  /** For a process of its own. */
  async start(): Promise<void> {
    await this.database.connect();
    await this.work();
  }

  async work(): Promise<void> {
    await this.get(LaneWorkers).start();
  }

  async stop(): Promise<void> {
    await this.get(LaneWorkers).stop();
    await this.get(PlatformClients).stop();
    await this.database.close();
    await this.app.close();
  }

  /** Wakes a lane in the transaction of `store`, as a consumer does. */
  protected async wake(lane: LaneKey, store: (tx: Tx, laneId: string) => Promise<unknown>): Promise<void> {
    await this.database.transaction(async (tx) => {
      const ids = await this.get(Lanes).wake(tx, [lane]);
      await store(tx, ids.get(laneText(lane))!);
    });
  }

  protected async queue(...commands: readonly QueuedCommand[]): Promise<void> {
    await insertCommands(this.database, commands);
  }

  /** Its results so far, in order. */
  abstract results(): Promise<Record<string, unknown>[]>;

  /** Records on a topic, in order. */
  async published(topic: string): Promise<Record<string, unknown>[]> {
    const text = 'SELECT value FROM outbox WHERE topic = $1 ORDER BY seq';
    const { rows } = await this.database.query<{ value: Buffer }>(text, [topic]);
    return rows.map(({ value }) => JSON.parse(value.toString('utf8')) as Record<string, unknown>);
  }

  get<T>(token: Type<T>): T {
    return this.app.get(token, { strict: false });
  }
}
