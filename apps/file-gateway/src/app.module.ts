import { Attempts } from '@gondola/messaging/commands/attempts';
import { Commands } from '@gondola/messaging/commands/commands';
import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { deadLettersOpenApi } from '@gondola/messaging/dead-letters/dead-letters.openapi';
import { type LaneSteps, LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { MessagingModule, messagingServer } from '@gondola/messaging/messaging.module';
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { FILE_COMMAND_REPORT } from './commands/file-commands.metrics.ts';
import { UploadsMetrics } from './uploads/uploads.metrics.ts';
import { ReceiveUpload } from './uploads/receive-upload.service.ts';
import { ShowFiles } from './operations/show-files.service.ts';
import { APP, type Config } from './config.ts';
import { LANE_KINDS } from './commands/read-file-command.ts';
import { fileSteps } from './file-workers.ts';
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
    return {
      module: AppModule,
      imports: [
        MessagingModule.register({
          reads: ['erp.files.commands.v1', 'platform.notifications.orders.v1', 'catalog.skus.v1'],
          writes: ['erp.files.results.v1'],
        }),
        CommandsModule.register(FILE_COMMAND_REPORT),
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
    startables: (app) => [app.get(CleanUp)],
    microservice: messagingServer,
    httpOptions: {
      prepare: (fastify) => {
        fastify.server.requestTimeout = config.uploads.requestMs;
      },
    },
    openApi: [deadLettersOpenApi, filesOpenApi],
  };
}

function workers(config: Config): FactoryProvider {
  return {
    provide: 'file steps',
    inject: [
      LaneWorkers,
      Database,
      Lanes,
      Commands,
      Attempts,
      StepSaver,
      UploadsRepository,
      SkusRepository,
      FailuresRepository,
      OrderIdsRepository,
      AppliedImagesRepository,
      InvoiceFilesRepository,
      ConsumedRecords,
      PlatformClients,
      LOGGER,
    ],
    useFactory: (
      laneWorkers: LaneWorkers,
      database: Database,
      lanes: Lanes,
      commands: Commands,
      attempts: Attempts,
      save: StepSaver,
      uploads: UploadsRepository,
      skus: SkusRepository,
      failures: FailuresRepository,
      orderIds: OrderIdsRepository,
      applied: AppliedImagesRepository,
      invoiceFiles: InvoiceFilesRepository,
      consumed: ConsumedRecords,
      platforms: PlatformClients,
      logger: Logger,
    ) => {
      const stores = { uploads, skus, failures, orderIds, applied, invoiceFiles };
      const parts = { database, lanes, commands, attempts, save, ...stores, logger, now: Date.now, consumed };
      const steps = new Map(
        config.tenants.map((tenant) => {
          const platform = new PlatformAdapter(platforms.of(tenant.id), uploads);
          return [tenant.id, fileSteps(config, tenant, platform, parts)[0]!.step] as const;
        }),
      );
      for (const kind of LANE_KINDS) {
        const step: LaneSteps['step'] = (claimed, signal) => steps.get(claimed[0]!.tenant)!(claimed, signal);
        laneWorkers.add({ kind, batchSize: 1, step });
      }
    },
  };
}
