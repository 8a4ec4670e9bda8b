import { Commands } from '@gondola/messaging/commands';
import type { LaneWorker } from '@gondola/messaging/lane-worker';
import { type LaneKey, Lanes, laneText } from '@gondola/messaging/lanes';
import { Outbox } from '@gondola/messaging/outbox';
import { Database } from '@gondola/service-kit/database';
import { createLogger } from '@gondola/service-kit/logger';
import { loadTenants } from '@gondola/service-kit/tenants-file';
import { Registry } from 'prom-client';
import { CatalogReport } from '../../src/application/catalog-report.ts';
import { PRODUCTS_TOPIC } from '../../src/application/take-product-records.ts';
import { catalogMigrations } from '../../src/outbound/catalog-migrations.ts';
import { PlatformClients } from '../../src/outbound/platform-clients.ts';
import { ProductReportsRepository } from '../../src/outbound/product-reports.repository.ts';
import { ProductsRepository } from '../../src/outbound/products.repository.ts';
import { productWorker } from '../../src/product-worker.ts';

export interface LoneWorkerOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenantsFile: string;
  readonly leaseMs: number;
}

/** The worker of the product lanes without its consumers and its relay: what it says is found in the outbox. */
export class LoneWorker {
  readonly database: Database;
  readonly worker: LaneWorker;
  readonly #lanes: Lanes;
  readonly #commands = new Commands();
  readonly #reports = new ProductReportsRepository();
  readonly #clients: PlatformClients;
  readonly #tenant: string;

  constructor({ url, schema, tenantsFile, leaseMs }: LoneWorkerOptions) {
    const logger = createLogger({ app: 'catalog-publisher', level: 'warn' });
    this.database = new Database({ url, schema, migrations: catalogMigrations });
    this.#lanes = new Lanes(this.database);
    const tenant = loadTenants(tenantsFile, { TEST_PLATFORM_PASSWORD: 'not-a-secret-in-a-test' })[0]!;
    this.#tenant = tenant.id;
    const times = { leaseMs, platformTimeoutMs: 60_000, lostAnswerMs: 300 };
    this.#clients = new PlatformClients([tenant], times.platformTimeoutMs, logger);
    this.worker = productWorker({ times }, tenant, this.#clients.of(tenant.id), {
      database: this.database,
      lanes: this.#lanes,
      commands: this.#commands,
      outbox: new Outbox('catalog-publisher'),
      products: new ProductsRepository(),
      reports: this.#reports,
      report: new CatalogReport({ registry: new Registry(), logger, nudgeRelay: () => {} }),
      consumed: { upTo: () => Infinity, ask: () => {} },
      logger,
      now: () => Date.now(),
    });
  }

  async start(): Promise<void> {
    await this.database.connect();
    await this.worker.start();
  }

  async stop(): Promise<void> {
    await this.worker.stop();
    await this.#clients.stop();
    await this.database.close();
  }

  /** As the consumer does it. */
  async storeRecords(products: readonly { readonly externalReference: string }[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      const keys = products.map(({ externalReference }) => this.#lane(externalReference));
      const ids = await this.#lanes.wake(tx, keys);
      const items = products.map((product) => ({
        laneId: ids.get(laneText(this.#lane(product.externalReference)))!,
        tenant: this.#tenant,
        topic: PRODUCTS_TOPIC,
        commandId: `r-${product.externalReference}`,
        command: 'upsert',
        contentHash: '',
        value: Buffer.from(JSON.stringify(product)),
        traceparent: null,
      }));
      await this.#commands.insert(
        tx,
        items.map((item) => ({ ...item, topic: PRODUCTS_TOPIC })),
      );
    });
  }

  /** As the consumer does it. */
  async storeReport(externalReference: string, operationId: string, data: object): Promise<void> {
    await this.database.transaction(async (tx) => {
      const key = this.#lane(externalReference);
      const laneId = (await this.#lanes.wake(tx, [key])).get(laneText(key))!;
      const bytes = Buffer.from(JSON.stringify(data));
      const dedupKey = `${operationId}/${externalReference}`;
      await this.#reports.insert(tx, [{ laneId, dedupKey, operationId, eventType: 'any', data: bytes }]);
    });
  }

  /** The results so far, in order. */
  async results(): Promise<Record<string, unknown>[]> {
    const { rows } = await this.database.query<{ value: Buffer }>(
      `SELECT value FROM outbox WHERE topic = 'erp.catalog.results.v1' ORDER BY seq`,
    );
    return rows.map(({ value }) => JSON.parse(value.toString('utf8')) as Record<string, unknown>);
  }

  #lane(identity: string): LaneKey {
    return { tenant: this.#tenant, kind: 'product', identity };
  }
}
