import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { deadLettersOpenApi } from '@gondola/messaging/dead-letters/dead-letters.openapi';
import { MessagingModule, messagingServer } from '@gondola/messaging/messaging.module';
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { Starts } from '@gondola/service-kit/run/starts';
import { Module } from '@nestjs/common';
import { CATALOG_COMMAND_REPORT } from './application/catalog.metrics.ts';
import { OperationsSweep } from './application/operations-sweep.service.ts';
import { ShowCatalog } from './application/show-catalog.service.ts';
import { TakeNotifications } from './application/take-notifications.service.ts';
import { APP, type Config } from './config.ts';
import { catalogEntities, catalogMigrations } from './database.schema.ts';
import { CATALOG_TOPICS } from './domain/catalog-kinds.ts';
import { CatalogRecordsConsumer } from './inbound/catalog-records.consumer.ts';
import { CatalogController } from './inbound/catalog.controller.ts';
import { catalogOpenApi } from './inbound/catalog.openapi.ts';
import { NotificationsConsumer } from './inbound/notifications.consumer.ts';
import { LanesModule } from './lanes.module.ts';

/**
 * records       → `CommandIntake`     → lanes → `PublishRecords` → platform; results and SKUs
 * notifications → `TakeNotifications` → the same lanes
 */
@Starts(OperationsSweep)
@Module({
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
    LanesModule,
  ],
  controllers: [CatalogRecordsConsumer, NotificationsConsumer, CatalogController],
  providers: [TakeNotifications, ShowCatalog, OperationsSweep],
})
class AppModule {}

/** How the app is put together and started. */
export function appOptions(config: Config, logger = createLogger({ app: APP, level: config.log.level })): AppOptions {
  return {
    name: APP,
    module: AppModule,
    config,
    logger,
    database: new Database({ ...config.database, entities: catalogEntities, migrations: catalogMigrations, logger }),
    microservice: messagingServer,
    openApi: [deadLettersOpenApi, catalogOpenApi],
  };
}
