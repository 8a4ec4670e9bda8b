import { Attempts } from '@gondola/messaging/commands/attempts';
import { CommandReport } from '@gondola/messaging/commands/command-report';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { Commands } from '@gondola/messaging/commands/commands';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { type LaneKey, Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { Clock } from '@gondola/service-kit/run/clock';
import { loadTenants } from '@gondola/service-kit/config/tenants-file';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { Registry } from 'prom-client';
import { CATALOG_COMMAND_REPORT } from '../../src/application/catalog-command-report.ts';
import { CatalogReport } from '../../src/application/catalog-report.ts';
import { catalogSteps } from '../../src/catalog-worker.ts';
import { CATALOG_TOPICS, type CatalogKind } from '../../src/domain/catalog-kinds.ts';
import { catalogEntities, catalogMigrations } from '../../src/database.schema.ts';
import { CatalogStores } from '../../src/outbound/catalog-stores.ts';
import { PlatformAdapter } from '../../src/outbound/platform.adapter.ts';

export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  readonly leaseMs: number;
}

/** The worker of the product lanes without its consumers and its relay: what it says is found in the outbox. */
export class LoneWorker {
  readonly database: Database;
  readonly workers: LaneWorkers;
  readonly #lanes: Lanes;
  readonly #commands = new Commands();
  readonly #stores: CatalogStores;
  readonly #clients: PlatformClients;
  readonly #tenant: string;

  constructor({ url, schema, tenantsFile, leaseMs }: LoneWorkerOptions) {
    const logger = createLogger({ app: 'catalog-publisher', level: 'warn' });
    this.database = new Database({ url, schema, entities: catalogEntities, migrations: catalogMigrations });
    this.#lanes = new Lanes(this.database);
    const tenant = loadTenants(tenantsFile, { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test' }, ['platform'])[0]!;
    this.#tenant = tenant.id;
    const times = { leaseMs, platformTimeoutMs: 60_000, lostAnswerMs: 300 };
    this.#clients = new PlatformClients([tenant], { times }, logger);
    this.#stores = new CatalogStores(this.database);
    const assumed = new Map([[tenant.id, { brand: new Set<string>(), category: new Set<string>() }]]);
    const relay = { wake: () => {} };
    const commandReport = new CommandReport(CATALOG_COMMAND_REPORT, new Registry(), logger);
    const outbox = new Outbox('catalog-publisher');
    this.workers = new LaneWorkers(this.#lanes, [tenant], { times }, logger);
    const steps = catalogSteps({ times, assumed }, tenant, new PlatformAdapter(this.#clients.of(tenant.id)), {
      stores: this.#stores,
      database: this.database,
      lanes: this.#lanes,
      commands: this.#commands,
      attempts: new Attempts(this.#lanes, this.#commands),
      save: new StepSaver(this.#lanes, this.#commands, outbox, relay, commandReport, new Clock()),
      report: new CatalogReport({ registry: new Registry(), logger }),
      consumed: { upTo: () => Infinity, ask: () => 0 },
      logger,
      now: () => Date.now(),
      wake: () => {},
    });
    for (const each of steps) this.workers.add(each);
  }

  async start(): Promise<void> {
    await this.database.connect();
    await this.work();
  }

  async work(): Promise<void> {
    await this.workers.start();
  }

  async stop(): Promise<void> {
    await this.workers.stop();
    await this.#clients.stop();
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
        commandId: `r-${record.externalReference}`,
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
      await this.#stores.all.reports.insert(tx, [{ laneId, dedupKey, operationId, eventType: 'any', data: bytes }]);
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
