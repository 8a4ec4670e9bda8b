import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { Attempts } from '@gondola/messaging/commands/attempts';
import { Commands } from '@gondola/messaging/commands/commands';
import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { deadLettersOpenApi } from '@gondola/messaging/dead-letters/dead-letters.openapi';
import { type LaneSteps, LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { MessagingModule, messagingServer } from '@gondola/messaging/messaging.module';
import { RepeatingTask } from '@gondola/messaging/repeating-task';
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { CATALOG_COMMAND_REPORT } from './application/catalog-command-report.ts';
import { CatalogReport } from './application/catalog-report.ts';
import { ShowCatalog } from './application/show-catalog.ts';
import { TakeNotifications } from './application/take-notifications.ts';
import { BATCH_SIZE, catalogSteps } from './catalog-worker.ts';
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
        CommandsModule.register(CATALOG_COMMAND_REPORT),
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
          provide: CatalogReport,
          inject: [Registry, LOGGER],
          useFactory: (registry: Registry, logger: Logger) => new CatalogReport({ registry, logger }),
        },
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
          provide: 'catalog steps',
          inject: [
            LaneWorkers,
            Database,
            Lanes,
            Commands,
            Attempts,
            StepSaver,
            CatalogStores,
            CatalogReport,
            ConsumedRecords,
            PlatformClients,
            LOGGER,
          ],
          useFactory: (
            workers: LaneWorkers,
            database: Database,
            lanes: Lanes,
            commands: Commands,
            attempts: Attempts,
            save: StepSaver,
            stores: CatalogStores,
            report: CatalogReport,
            consumed: ConsumedRecords,
            platforms: PlatformClients,
            logger: Logger,
          ) => {
            // What one worker makes known another waits for.
            const wake = (): void => workers.wake();
            const messaging = { database, lanes, commands, attempts, save, consumed };
            const parts = { ...messaging, stores, report, logger, now, wake };
            const steps = new Map(
              config.tenants.flatMap((tenant) =>
                catalogSteps(config, tenant, new PlatformAdapter(platforms.of(tenant.id)), parts).map(
                  (each) => [`${each.kind} ${tenant.id}`, each] as const,
                ),
              ),
            );
            for (const kind of ['product', 'brand', 'category']) {
              const step: LaneSteps['step'] = (claimed, signal) =>
                steps.get(`${kind} ${claimed[0]!.tenant}`)!.step(claimed, signal);
              workers.add({ kind, batchSize: BATCH_SIZE, step });
            }
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
      return [new RepeatingTask(sweep)];
    },
    microservice: messagingServer,
    openApi: [deadLettersOpenApi, catalogOpenApi],
  };
}
