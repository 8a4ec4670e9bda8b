import { messagingEntities } from '@gondola/messaging/messaging-tables';
import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { Commands } from '@gondola/messaging/commands/commands';
import { LoadCounts } from '@gondola/messaging/commands/load-counts';
import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { type LaneKey, Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, LOGGER } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Clock } from '@gondola/service-kit/run/clock';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type DynamicModule, type INestApplicationContext, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Registry } from 'prom-client';
import { CATALOG_COMMAND_REPORT } from '../../src/outcomes/catalog.metrics.ts';
import { catalogMigrations } from '../../src/database.schema.ts';
import { CATALOG_TOPICS, type CatalogKind } from '../../src/records/catalog-kinds.ts';
import { LanesModule } from '../../src/lanes/lanes.module.ts';
import { ProductReportsRepository } from '../../src/outcomes/product-reports.repository.ts';

export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  readonly leaseMs: number;
}

/** Providers of service-kit and messaging for lanes without Kafka: no consumer lag, and nothing is relayed. */
@Module({})
class WithoutKafka {
  static register({ url, schema, tenantsFile, leaseMs }: LoneWorkerOptions): DynamicModule {
    const tenants = loadTenants(tenantsFile, { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test' }, ['platform']);
    const assumed = new Map(tenants.map(({ id }) => [id, { brand: new Set<string>(), category: new Set<string>() }]));
    const times = { leaseMs, platformTimeoutMs: 60_000, lostAnswerMs: 300 };
    const tables = { entities: messagingEntities, migrations: catalogMigrations };
    const providers = [
      { provide: CONFIG, useValue: { tenants, assumed, times } },
      { provide: TENANTS, useValue: tenants },
      { provide: LOGGER, useValue: createLogger({ app: 'catalog-publisher', level: 'warn' }) },
      { provide: Database, useValue: new Database({ url, schema, ...tables }) },
      { provide: Outbox, useValue: new Outbox('catalog-publisher') },
      { provide: OutboxRelay, useValue: { wake: () => {} } },
      { provide: ConsumedRecords, useValue: { upTo: () => Infinity, ask: () => 0 } },
      { provide: BatchIntake, useValue: {} },
      { provide: Registry, useValue: new Registry() },
      Clock,
      Randomness,
      Lanes,
      Commands,
      LoadCounts,
    ] satisfies Provider[];
    return {
      module: WithoutKafka,
      global: true,
      imports: [CommandsModule.register(CATALOG_COMMAND_REPORT), LanesModule],
      providers,
      exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }
}

/** The workers of the app's lanes without its consumers and its relay: what they publish is found in the outbox. */
export class LoneWorker {
  readonly database: Database;
  readonly #app: INestApplicationContext;
  readonly #lanes: Lanes;
  readonly #commands: Commands;
  readonly #tenant: string;

  private constructor(app: INestApplicationContext) {
    this.#app = app;
    this.database = app.get(Database);
    this.#lanes = app.get(Lanes);
    this.#commands = app.get(Commands);
    this.#tenant = app.get<{ id: string }[]>(TENANTS)[0]!.id;
  }

  static async create(options: LoneWorkerOptions): Promise<LoneWorker> {
    const app = await NestFactory.createApplicationContext(WithoutKafka.register(options), { logger: ['error'] });
    return new LoneWorker(app);
  }

  async start(): Promise<void> {
    await this.database.connect();
    await this.work();
  }

  async work(): Promise<void> {
    await this.#app.get(LaneWorkers, { strict: false }).start();
  }

  async stop(): Promise<void> {
    await this.#app.get(LaneWorkers, { strict: false }).stop();
    await this.#app.get(PlatformClients, { strict: false }).stop();
    await this.database.close();
  }

  /** As the consumer does it. */
  async storeRecords(
    kind: CatalogKind,
    records: readonly (JsonRecord & { readonly externalReference: string })[],
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const keyOf = ({ externalReference }: { readonly externalReference: string }): LaneKey =>
        this.#lane(kind, externalReference);
      const keys = records.map(keyOf);
      const ids = await this.#lanes.wake(tx, keys);
      const items = records.map((record) => ({
        laneId: ids.get(laneText(keyOf(record)))!,
        tenant: this.#tenant,
        commandId: typeof record['recordId'] === 'string' ? record['recordId'] : `r-${record.externalReference}`,
        command: 'upsert',
        contentHash: '',
        value: Buffer.from(JSON.stringify(record)),
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      }));
      await this.#commands.insert(
        tx,
        items.map((item) => ({ ...item, topic: CATALOG_TOPICS[kind] })),
      );
    });
  }

  /** As the consumer does it. */
  async storeReport(externalReference: string, operationId: string, data: object): Promise<void> {
    await this.database.transaction(async (tx) => {
      const key = this.#lane('product', externalReference);
      const laneId = (await this.#lanes.wake(tx, [key])).get(laneText(key))!;
      const bytes = Buffer.from(JSON.stringify(data));
      const dedupKey = `${operationId}/${externalReference}`;
      const reports = this.#app.get(ProductReportsRepository, { strict: false });
      await reports.insert(tx, [{ laneId, dedupKey, operationId, eventType: 'any', data: bytes }]);
    });
  }

  /** The results so far, in order. */
  async results(): Promise<Record<string, unknown>[]> {
    const { rows } = await this.database.query<{ value: Buffer }>(
      `SELECT value FROM outbox WHERE topic = 'erp.catalog.results.v1' ORDER BY seq`,
    );
    return rows.map(({ value }) => JSON.parse(value.toString('utf8')) as Record<string, unknown>);
  }

  #lane(kind: CatalogKind, identity: string): LaneKey {
    return { tenant: this.#tenant, kind, identity };
  }
}
