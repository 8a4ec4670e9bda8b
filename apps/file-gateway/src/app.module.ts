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
import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { fileCommandReport } from './application/file-command-report.ts';
import { UploadReport } from './application/upload-report.ts';
import { ReceiveUpload } from './application/receive-upload.ts';
import { ShowFiles } from './application/show-files.ts';
import { TakeOrderNotifications } from './application/take-order-notifications.ts';
import { TakeSkuSnapshots } from './application/take-sku-snapshots.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { fileWorkers } from './file-workers.ts';
import { FileCommandsConsumer } from './inbound/file-commands.consumer.ts';
import { FilesController } from './inbound/files.controller.ts';
import { filesOpenApi } from './inbound/files.openapi.ts';
import { OrderNotificationsConsumer } from './inbound/order-notifications.consumer.ts';
import { SkuSnapshotsConsumer } from './inbound/sku-snapshots.consumer.ts';
import { UploadRoutes } from './inbound/upload.routes.ts';
import { AppliedImagesRepository } from './outbound/applied-images.repository.ts';
import { CleanUp } from './outbound/clean-up.ts';
import { CountsRepository } from './outbound/counts.repository.ts';
import { FailuresRepository } from './outbound/failures.repository.ts';
import { fileEntities, fileMigrations } from './database.schema.ts';
import { InvoiceFilesRepository } from './outbound/invoice-files.repository.ts';
import { OrderIdsRepository } from './outbound/order-ids.repository.ts';
import { PlatformAdapter } from './outbound/platform.adapter.ts';
import { SkusRepository } from './outbound/skus.repository.ts';
import { UploadsRepository } from './outbound/uploads.repository.ts';

const now = (): number => Date.now();
const ON_THE_DATABASE = [
  SkusRepository,
  OrderIdsRepository,
  FailuresRepository,
  AppliedImagesRepository,
  InvoiceFilesRepository,
  CountsRepository,
  CleanUp,
];

/**
 * POST /uploads → `ReceiveUpload` → content
 * commands      → `CommandIntake` → queue                          ┐
 * refusals      → `TakeOrderNotifications` ┐                       ├→ lanes → `RunFileLanes` → platform; results
 * SKUs          → `TakeSkuSnapshots`       ┴→ what commands need   ┘
 */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    const languages = new Map(config.tenants.map(({ id, language }) => [id, language]));
    const tenants = [...languages.keys()];
    return {
      module: AppModule,
      imports: [
        MessagingModule.register({
          reads: ['erp.files.commands.v1', 'platform.notifications.orders.v1', 'catalog.skus.v1'],
          writes: ['erp.files.results.v1'],
        }),
      ],
      controllers: [FileCommandsConsumer, OrderNotificationsConsumer, SkuSnapshotsConsumer, FilesController],
      providers: [
        { provide: CONFIG, useValue: config },
        UploadRoutes,
        ...repositories(config),
        ...platform(config),
        {
          provide: CommandReport,
          inject: [Registry, LOGGER],
          useFactory: fileCommandReport,
        },
        {
          provide: UploadReport,
          inject: [Registry, LOGGER],
          useFactory: (registry: Registry, logger: Logger) => new UploadReport({ registry, logger }),
        },
        {
          provide: ReceiveUpload,
          inject: [UploadsRepository, LOGGER],
          useFactory: (uploads: UploadsRepository, logger: Logger) =>
            new ReceiveUpload({ uploads, maxBytes: config.uploads.maxBytes, logger }),
        },
        commandIntakeProvider(languages),
        {
          provide: TakeOrderNotifications,
          inject: [BatchIntake, Lanes, FailuresRepository, OrderIdsRepository, LaneWorkers],
          useFactory: (
            intake: BatchIntake,
            lanes: Lanes,
            failures: FailuresRepository,
            orderIds: OrderIdsRepository,
            workers: LaneWorkers,
          ) => new TakeOrderNotifications({ intake, lanes, failures, orderIds, tenants, wake: () => workers.wake() }),
        },
        {
          provide: TakeSkuSnapshots,
          inject: [BatchIntake, Lanes, SkusRepository, LaneWorkers],
          useFactory: (intake: BatchIntake, lanes: Lanes, skus: SkusRepository, workers: LaneWorkers) =>
            new TakeSkuSnapshots({ intake, lanes, skus, tenants, wake: () => workers.wake() }),
        },
        {
          provide: ShowFiles,
          inject: [Database, Commands, Lanes, CountsRepository],
          useFactory: (database: Database, commands: Commands, lanes: Lanes, counts: CountsRepository) =>
            new ShowFiles({ database, commands, lanes, counts }),
        },
        workers(config),
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
    database: new Database({ ...config.database, entities: fileEntities, migrations: fileMigrations, logger }),
    startables: (app) => [cleanUp(config, app.get(CleanUp), logger), app.get(PlatformClients), app.get(LaneWorkers)],
    microservice: messagingServer,
    httpOptions: {
      prepare: (fastify) => {
        fastify.server.requestTimeout = config.uploads.requestMs;
      },
    },
    openApi: [deadLettersOpenApi, filesOpenApi],
  };
}

function repositories(config: Config): FactoryProvider[] {
  const uploads: FactoryProvider<UploadsRepository> = {
    provide: UploadsRepository,
    inject: [Database],
    useFactory: (database: Database) => new UploadsRepository(database, config.uploads.keepMs),
  };
  return [uploads, ...ON_THE_DATABASE.map((repository) => onTheDatabase(repository))];
}

function onTheDatabase(made: new (database: Database) => object): FactoryProvider {
  return { provide: made, inject: [Database], useFactory: (database: Database) => new made(database) };
}

function platform({ tenants, times }: Config): FactoryProvider[] {
  const clients: FactoryProvider<PlatformClients<PlatformAdapter>> = {
    provide: PlatformClients,
    inject: [UploadsRepository, LOGGER],
    useFactory: (uploads: UploadsRepository, logger: Logger) =>
      new PlatformClients({
        tenants,
        timeoutMs: times.platformTimeoutMs,
        uploadTimeoutMs: times.uploadTimeoutMs,
        logger,
        adapt: (client) => new PlatformAdapter(client, uploads),
      }),
  };
  return [clients];
}

function workers(config: Config): FactoryProvider<LaneWorkers> {
  return {
    provide: LaneWorkers,
    inject: [
      Database,
      Lanes,
      Commands,
      Outbox,
      UploadsRepository,
      SkusRepository,
      FailuresRepository,
      OrderIdsRepository,
      AppliedImagesRepository,
      InvoiceFilesRepository,
      CommandReport,
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
      uploads: UploadsRepository,
      skus: SkusRepository,
      failures: FailuresRepository,
      orderIds: OrderIdsRepository,
      applied: AppliedImagesRepository,
      invoiceFiles: InvoiceFilesRepository,
      report: CommandReport,
      relay: OutboxRelay,
      consumed: ConsumedRecords,
      platforms: PlatformClients<PlatformAdapter>,
      logger: Logger,
    ) => {
      const stores = { uploads, skus, failures, orderIds, applied, invoiceFiles };
      const parts = { database, lanes, commands, outbox, ...stores, report, relay, logger, now, consumed };
      return new LaneWorkers(
        config.tenants.flatMap((tenant) => fileWorkers(config, tenant, platforms.of(tenant.id), parts)),
      );
    },
  };
}

function cleanUp({ uploads }: Config, task: CleanUp, logger: Logger): RepeatingTask {
  return new RepeatingTask({ name: 'clean-up', everyMs: uploads.cleanupMs, run: () => task.run(), logger });
}
