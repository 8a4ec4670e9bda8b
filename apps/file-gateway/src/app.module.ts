import { CommandsModule } from '@gondola/operations/commands.module';
import { MessagingModule, messagingServer } from '@gondola/operations/messaging.module';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, type Logger } from '@gondola/service-kit/logging/logger';
import { Module } from '@nestjs/common';
import { FILE_COMMAND_REPORT, FILE_COMMANDS, FILE_RESULTS } from './commands/file-command-identity.ts';
import { APP, type Config } from './config.ts';
import { fileEntities, fileMigrations } from './database.schema.ts';
import { LanesModule } from './lanes/lanes.module.ts';
import { NotificationsModule } from './notifications/notifications.module.ts';
import { OperationsModule } from './operations/operations.module.ts';
import { RetentionModule } from './retention/retention.module.ts';
import { SkusModule } from './skus/skus.module.ts';
import { uploadsOpenApi } from './uploads/uploads.dto.ts';
import { UploadsModule } from './uploads/uploads.module.ts';

const TOPICS = {
  reads: [FILE_COMMANDS, 'platform.notifications.orders.v1', 'catalog.skus.v1'],
  /** Commands of the operations API are published too, and return through the same intake. */
  writes: [FILE_RESULTS, FILE_COMMANDS],
} as const;

/**
 * POST /uploads → uploads → content, which commands name
 * commands      → commands      ┐
 * refusals      → notifications ├→ lanes → images, invoices → platform; results
 * SKUs          → skus          ┘
 */
@Module({
  imports: [
    MessagingModule.register(TOPICS),
    CommandsModule.register(FILE_COMMAND_REPORT),
    UploadsModule,
    NotificationsModule,
    SkusModule,
    LanesModule,
    OperationsModule,
    RetentionModule,
  ],
})
class AppModule {}

/** Modules, start order and HTTP options of the app. */
export function appOptions(
  config: Config,
  logger: Logger = createLogger({ app: APP, level: config.log.level }),
): AppOptions {
  return {
    name: APP,
    module: AppModule,
    config,
    logger,
    database: new Database({ ...config.database, entities: fileEntities, migrations: fileMigrations, logger }),
    microservice: messagingServer,
    httpOptions: { requestTimeoutMs: config.uploads.requestMs },
    openApi: [uploadsOpenApi],
  };
}
