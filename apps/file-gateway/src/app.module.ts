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
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { fileCommandReport } from './commands/file-commands.metrics.ts';
import { UploadsMetrics } from './uploads/uploads.metrics.ts';
import { ReceiveUpload } from './uploads/receive-upload.service.ts';
import { ShowFiles } from './operations/show-files.service.ts';
import { APP, type Config } from './config.ts';
import { fileWorkers } from './file-workers.ts';
import { FileCommandsConsumer } from './commands/file-commands.consumer.ts';
import { FilesController } from './operations/files.controller.ts';
import { filesOpenApi } from './operations/files.openapi.ts';
import { OrderNotificationsConsumer } from './notifications/order-notifications.consumer.ts';
import { SkuSnapshotsConsumer } from './skus/sku-snapshots.consumer.ts';
import { UploadsRoute } from './uploads/uploads.route.ts';
import { AppliedImagesRepository } from './images/applied-images.repository.ts';
import { CleanUp } from './retention/clean-up.service.ts';
import { CountsRepository } from './operations/counts.repository.ts';
import { FailuresRepository } from './notifications/failures.repository.ts';
import { fileEntities, fileMigrations } from './database.schema.ts';
import { InvoiceFilesRepository } from './invoices/invoice-files.repository.ts';
import { OrderIdsRepository } from './notifications/order-ids.repository.ts';
import { PlatformAdapter } from './platform/platform.adapter.ts';
import { SkusRepository } from './skus/skus.repository.ts';
import { UploadsRepository } from './uploads/uploads.repository.ts';

/**
 * POST /uploads → `ReceiveUpload` → content
 * commands      → `CommandIntake` → queue                          ┐
 * refusals      → `OrderNotificationsConsumer` ┐                   ├→ lanes → `RunFileLanes` → platform; results
 * SKUs          → `SkuSnapshotsConsumer`       ┴→ what commands need   ┘
 */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    const languages = new Map(config.tenants.map(({ id, language }) => [id, language]));
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
        UploadsRoute,
        UploadsMetrics,
        UploadsRepository,
        ReceiveUpload,
        SkusRepository,
        OrderIdsRepository,
        FailuresRepository,
        AppliedImagesRepository,
        InvoiceFilesRepository,
        CountsRepository,
        CleanUp,
        ShowFiles,
        ...platform(config),
        {
          provide: CommandReport,
          inject: [Registry, LOGGER],
          useFactory: fileCommandReport,
        },
        commandIntakeProvider(languages),
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
    startables: (app) => [app.get(CleanUp), app.get(PlatformClients), app.get(LaneWorkers)],
    microservice: messagingServer,
    httpOptions: {
      prepare: (fastify) => {
        fastify.server.requestTimeout = config.uploads.requestMs;
      },
    },
    openApi: [deadLettersOpenApi, filesOpenApi],
  };
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
      const parts = { database, lanes, commands, outbox, ...stores, report, relay, logger, now: Date.now, consumed };
      return new LaneWorkers(
        config.tenants.flatMap((tenant) => fileWorkers(config, tenant, platforms.of(tenant.id), parts)),
      );
    },
  };
}
