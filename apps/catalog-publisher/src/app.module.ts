import { BatchIntake } from '@gondola/messaging/batch-intake';
import { Commands } from '@gondola/messaging/commands';
import { ConsumerLag } from '@gondola/messaging/consumer-lag';
import { deadLettersOpenApi } from '@gondola/messaging/dead-letters.openapi';
import { Lanes } from '@gondola/messaging/lanes';
import { MessagingModule, messagingServer, messagingStartables } from '@gondola/messaging/messaging.module';
import { Outbox } from '@gondola/messaging/outbox';
import { OutboxRelay } from '@gondola/messaging/outbox-relay';
import type { AppOptions } from '@gondola/service-kit/app-options';
import { Database } from '@gondola/service-kit/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logger';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { CatalogReport } from './application/catalog-report.ts';
import { ShowProduct } from './application/show-product.ts';
import { PRODUCTS_TOPIC, TakeProductRecords } from './application/take-product-records.ts';
import { TakeProductReports } from './application/take-product-reports.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { CatalogNotificationsConsumer } from './inbound/catalog-notifications.consumer.ts';
import { CatalogWorkers } from './inbound/catalog-workers.ts';
import { catalogOpenApi } from './inbound/catalog.openapi.ts';
import { ProductsConsumer } from './inbound/products.consumer.ts';
import { ProductsController } from './inbound/products.controller.ts';
import { catalogMigrations } from './outbound/catalog-migrations.ts';
import { ConsumedRecordsAdapter } from './outbound/consumed-records.adapter.ts';
import { PlatformClients } from './outbound/platform-clients.ts';
import { ProductReportsRepository } from './outbound/product-reports.repository.ts';
import { ProductsRepository } from './outbound/products.repository.ts';
import { productWorker } from './product-worker.ts';

const now = (): number => Date.now();

/**
 * products → `TakeProductRecords` → lanes → `PublishProducts` → platform, and `erp.catalog.results.v1`
 * reports → `TakeProductReports` → the same lanes
 */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    const languages = new Map(config.tenants.map(({ id, language }) => [id, language]));
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
          provide: CatalogReport,
          inject: [Registry, LOGGER, OutboxRelay],
          useFactory: (registry: Registry, logger: Logger, relay: OutboxRelay) =>
            new CatalogReport({ registry, logger, nudgeRelay: () => relay.nudge() }),
        },
        {
          provide: TakeProductRecords,
          inject: [BatchIntake, Lanes, Commands, Outbox, CatalogWorkers, OutboxRelay],
          useFactory: (
            intake: BatchIntake,
            lanes: Lanes,
            commands: Commands,
            outbox: Outbox,
            workers: CatalogWorkers,
            relay: OutboxRelay,
          ) => {
            const nudge = (): void => (workers.nudge(), relay.nudge());
            return new TakeProductRecords({ intake, lanes, commands, outbox, languages, now, nudge });
          },
        },
        {
          provide: TakeProductReports,
          inject: [BatchIntake, Lanes, ProductReportsRepository, CatalogWorkers],
          useFactory: (intake: BatchIntake, lanes: Lanes, reports: ProductReportsRepository, workers: CatalogWorkers) =>
            new TakeProductReports({ intake, lanes, reports, nudge: () => workers.nudge() }),
        },
        {
          provide: ShowProduct,
          inject: [Database, Commands, ProductsRepository],
          useFactory: (database: Database, commands: Commands, products: ProductsRepository) =>
            new ShowProduct({ database, commands, products }),
        },
        {
          provide: CatalogWorkers,
          inject: [
            Database,
            Lanes,
            Commands,
            Outbox,
            ProductsRepository,
            ProductReportsRepository,
            CatalogReport,
            ConsumerLag,
            PlatformClients,
            LOGGER,
          ],
          useFactory: (
            database: Database,
            lanes: Lanes,
            commands: Commands,
            outbox: Outbox,
            products: ProductsRepository,
            reports: ProductReportsRepository,
            report: CatalogReport,
            lag: ConsumerLag,
            platforms: PlatformClients,
            logger: Logger,
          ) => {
            const consumed = new ConsumedRecordsAdapter(lag);
            const parts = { database, lanes, commands, outbox, products, reports, report, consumed, logger, now };
            return new CatalogWorkers(
              config.tenants.map((tenant) => productWorker(config, tenant, platforms.of(tenant.id), parts)),
            );
          },
        },
      ],
    };
  }
}

/** How the app is put together and started. */
export function appOptions(config: Config, logger = createLogger({ app: APP, level: config.log.level })): AppOptions {
  return {
    name: APP,
    module: AppModule.register(config),
    config,
    logger,
    database: new Database({ ...config.database, migrations: catalogMigrations, logger }),
    startables: (app) => [...messagingStartables(app), app.get(PlatformClients), ...app.get(CatalogWorkers).all],
    microservice: messagingServer,
    openApi: [deadLettersOpenApi, catalogOpenApi],
  };
}
