import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { CommandReport } from '@gondola/messaging/commands/command-report';
import { Commands } from '@gondola/messaging/commands/commands';
import { commandIntakeProvider } from '@gondola/messaging/commands/command-intake.provider';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { deadLettersOpenApi } from '@gondola/messaging/dead-letters/dead-letters.openapi';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { MessagingModule, messagingServer } from '@gondola/messaging/messaging.module';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { RepeatingTask } from '@gondola/messaging/repeating-task';
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { catalogCommandReport } from './application/catalog-command-report.ts';
import { CatalogReport } from './application/catalog-report.ts';
import { ShowCatalog } from './application/show-catalog.ts';
import { TakeNotifications } from './application/take-notifications.ts';
import { catalogWorkers } from './catalog-worker.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { CATALOG_TOPICS } from './domain/catalog-kinds.ts';
import { CatalogRecordsConsumer } from './inbound/catalog-records.consumer.ts';
import { CatalogController } from './inbound/catalog.controller.ts';
import { catalogOpenApi } from './inbound/catalog.openapi.ts';
import { NotificationsConsumer } from './inbound/notifications.consumer.ts';
import { catalogEntities, catalogMigrations } from './database.schema.ts';
import { CatalogStores } from './outbound/catalog-stores.ts';
import { PlatformAdapter } from './outbound/platform.adapter.ts';

const SWEEP_MS = 3_600_000;
const now = (): number => Date.now();

/**
 * records       → `CommandIntake`     → lanes → `PublishProducts`, `PublishReferences` → platform; results and SKUs
 * notifications → `TakeNotifications` → the same lanes
 */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    const languages = new Map(config.tenants.map(({ id, language }) => [id, language]));
    return {
      module: AppModule,
      imports: [
        MessagingModule.register({
          reads: [
            ...Object.values(CATALOG_TOPICS),
            'platform.notifications.catalog.v1',
            'platform.notifications.orders.v1',
          ],
          writes: ['erp.catalog.results.v1', 'catalog.skus.v1'],
        }),
      ],
      controllers: [CatalogRecordsConsumer, NotificationsConsumer, CatalogController],
      providers: [
        { provide: CONFIG, useValue: config },
        {
          provide: CatalogStores,
          inject: [Database],
          useFactory: (database: Database) => new CatalogStores(database),
        },
        {
          provide: PlatformClients,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            new PlatformClients({
              tenants: config.tenants,
              timeoutMs: config.times.platformTimeoutMs,
              logger,
              adapt: (client) => new PlatformAdapter(client),
            }),
        },
        {
          provide: CommandReport,
          inject: [Registry, LOGGER],
          useFactory: catalogCommandReport,
        },
        {
          provide: CatalogReport,
          inject: [Registry, LOGGER],
          useFactory: (registry: Registry, logger: Logger) => new CatalogReport({ registry, logger }),
        },
        commandIntakeProvider(languages),
        {
          provide: TakeNotifications,
          inject: [BatchIntake, Lanes, CatalogStores, LaneWorkers],
          useFactory: (intake: BatchIntake, lanes: Lanes, stores: CatalogStores, workers: LaneWorkers) =>
            new TakeNotifications({ ...stores.all, intake, lanes, wake: () => workers.wake() }),
        },
        {
          provide: ShowCatalog,
          inject: [Database, Lanes, Commands, CatalogStores],
          useFactory: (database: Database, lanes: Lanes, commands: Commands, stores: CatalogStores) =>
            new ShowCatalog({ database, lanes, commands, stores }),
        },
        {
          provide: LaneWorkers,
          inject: [
            Database,
            Lanes,
            Commands,
            Outbox,
            CatalogStores,
            CommandReport,
            CatalogReport,
            OutboxRelay,
            ConsumedRecords,
            PlatformClients,
            LOGGER,
          ],
          useFactory: (
            database: Database,
            lanes: Lanes,
            commands: Commands,
            outbox: Outbox,
            stores: CatalogStores,
            commandReport: CommandReport,
            report: CatalogReport,
            relay: OutboxRelay,
            consumed: ConsumedRecords,
            platforms: PlatformClients<PlatformAdapter>,
            logger: Logger,
          ) => {
            // What one worker makes known another waits for.
            const wake = (): void => workers.wake();
            const messaging = { database, lanes, commands, outbox, commandReport, relay, consumed };
            const parts = { ...messaging, stores, report, logger, now, wake };
            const workers = new LaneWorkers(
              config.tenants.flatMap((tenant) => catalogWorkers(config, tenant, platforms.of(tenant.id), parts)),
            );
            return workers;
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
    database: new Database({ ...config.database, entities: catalogEntities, migrations: catalogMigrations, logger }),
    startables: (app) => {
      const { operations } = app.get(CatalogStores).all;
      const sweep = { name: 'operations sweep', everyMs: SWEEP_MS, run: () => operations.sweep(), logger };
      return [new RepeatingTask(sweep), app.get(PlatformClients), app.get(LaneWorkers)];
    },
    microservice: messagingServer,
    openApi: [deadLettersOpenApi, catalogOpenApi],
  };
}
