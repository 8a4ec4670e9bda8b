import { Commands } from '@gondola/messaging/commands';
import { ConsumerLag } from '@gondola/messaging/consumer-lag';
import { KafkaBatchServer } from '@gondola/messaging/kafka-batch-server';
import { LaneWorker } from '@gondola/messaging/lane-worker';
import { Lanes } from '@gondola/messaging/lanes';
import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import { MessagingModule, messagingStartables } from '@gondola/messaging/messaging.module';
import { Outbox } from '@gondola/messaging/outbox';
import { OutboxRelay } from '@gondola/messaging/outbox-relay';
import type { AppOptions } from '@gondola/service-kit/app-options';
import { Database } from '@gondola/service-kit/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logger';
import type { TenantConfig } from '@gondola/service-kit/tenants-file';
import { DEFAULT_LANGUAGE } from '@gondola/shared/reason-codes';
import { type DynamicModule, Module } from '@nestjs/common';
import { PublishProducts, type PublishProductsParts } from './application/publish-products.ts';
import { PRODUCTS_TOPIC, TakeProductRecords } from './application/take-product-records.ts';
import { TakeProductReports } from './application/take-product-reports.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { CatalogNotificationsConsumer } from './inbound/catalog-notifications.consumer.ts';
import { ProductWorkers } from './inbound/product-workers.ts';
import { ProductsConsumer } from './inbound/products.consumer.ts';
import { ProductsController } from './inbound/products.controller.ts';
import { PlatformClients } from './outbound/platform-clients.ts';
import { ProductReportsRepository } from './outbound/product-reports.repository.ts';
import { CreateProducts1760000001001 } from './outbound/product-tables.migration.ts';
import { ProductsRepository } from './outbound/products.repository.ts';

/** Products in one POST. */
const BATCH_SIZE = 100;
const STEPS_AT_ONCE = 2;
/** The platform's batch may be repeated: it is idempotent (rule 27). */
const MAX_SENDINGS = 3;
const now = () => new Date();

/**
 * products → `TakeProductRecords` → lanes → `PublishProducts` → platform, and `erp.catalog.results.v1`
 * reports → `TakeProductReports` → the same lanes
 */
@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    const languages = new Map(config.tenants.map(({ id, language }) => [id, language]));
    const publishing = { now, languageOf: (tenant: string) => languages.get(tenant) ?? DEFAULT_LANGUAGE };
    return {
      module: AppModule,
      imports: [
        MessagingModule.register({
          app: APP,
          kafka: config.kafka,
          reads: [PRODUCTS_TOPIC, 'platform.notifications.catalog.v1'],
          writes: ['erp.catalog.results.v1'],
        }),
      ],
      controllers: [ProductsConsumer, CatalogNotificationsConsumer, ProductsController],
      providers: [
        { provide: CONFIG, useValue: config },
        ProductsRepository,
        ProductReportsRepository,
        {
          provide: PlatformClients,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new PlatformClients(config.tenants, config.times.platformTimeoutMs, logger),
        },
        {
          provide: TakeProductRecords,
          inject: [Lanes, Commands, Outbox],
          useFactory: (lanes: Lanes, commands: Commands, outbox: Outbox) =>
            new TakeProductRecords({ lanes, commands, outbox, publishing }),
        },
        {
          provide: TakeProductReports,
          inject: [Lanes, ProductReportsRepository],
          useFactory: (lanes: Lanes, reports: ProductReportsRepository) => new TakeProductReports({ lanes, reports }),
        },
        {
          provide: ProductWorkers,
          inject: [
            Database,
            Lanes,
            Commands,
            Outbox,
            ProductsRepository,
            ProductReportsRepository,
            PlatformClients,
            ConsumerLag,
            OutboxRelay,
            LOGGER,
          ],
          useFactory: (
            database: Database,
            lanes: Lanes,
            commands: Commands,
            outbox: Outbox,
            products: ProductsRepository,
            reports: ProductReportsRepository,
            clients: PlatformClients,
            lag: ConsumerLag,
            relay: OutboxRelay,
            logger: Logger,
          ) => {
            const common = {
              database,
              lanes,
              commands,
              outbox,
              products,
              reports,
              logger,
              now,
              consumedUpTo: () => lag.consumedUpTo(),
              onSaved: () => relay.nudge(),
            };
            const workers = config.tenants.map((tenant) =>
              productWorker(config, tenant, { ...common, client: clients.of(tenant.id) }),
            );
            return new ProductWorkers(workers);
          },
        },
      ],
    };
  }
}

/** How the app is put together and started. */
export function appOptions(config: Config): AppOptions {
  const logger = createLogger({ app: APP, level: config.log.level });
  const migrations = [...messagingMigrations, CreateProducts1760000001001];
  return {
    name: APP,
    module: AppModule.register(config),
    config,
    logger,
    database: new Database({ ...config.database, migrations, logger }),
    startables: (app) => [...messagingStartables(app), app.get(PlatformClients), ...app.get(ProductWorkers).all],
    microservice: (app) => app.get(KafkaBatchServer),
  };
}

type CommonParts = Omit<PublishProductsParts, 'tenant' | 'language' | 'catalog' | 'settings'>;

function productWorker({ times }: Config, tenant: TenantConfig, common: CommonParts): LaneWorker {
  const { id, language, catalog, deadlines } = tenant;
  const settings = { deadlineMs: deadlines.commandMs, lostAnswerMs: times.lostAnswerMs, maxSendings: MAX_SENDINGS };
  const publish = new PublishProducts({ ...common, tenant: id, language, catalog, settings });
  return new LaneWorker({
    name: `products of ${id}`,
    lanes: common.lanes,
    tenant: id,
    kind: 'product',
    batchSize: BATCH_SIZE,
    concurrency: STEPS_AT_ONCE,
    leaseMs: times.leaseMs,
    step: (claimed, signal) => publish.step(claimed, signal),
    logger: common.logger,
  });
}
