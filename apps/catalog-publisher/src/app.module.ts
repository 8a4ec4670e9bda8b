import { messagingEntities } from '@gondola/lanes/messaging-tables';
import { CommandsModule } from '@gondola/operations/commands.module';
import { ErasuresModule } from '@gondola/operations/erasures/erasures.module';
import { MessagingModule, messagingServer } from '@gondola/operations/messaging.module';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { VALUE_KINDS } from '@gondola/shared/topics/values';
import { Module } from '@nestjs/common';
import { APP, type Config } from './config.ts';
import { catalogMigrations } from './database.schema.ts';
import { NoOrderContent } from './operations/no-order-content.service.ts';
import { LanesModule } from './lanes.module.ts';
import { IntakeModule } from './intake/intake.module.ts';
import { OperationsModule } from './operations/operations.module.ts';
import { CATALOG_TOPICS } from './records/catalog-kinds.ts';
import { NewestSkus } from './product-state/newest-skus.repository.ts';
import { ResendsModule } from './resends/resends.module.ts';
import { CATALOG_COMMAND_REPORT } from './lanes/catalog.metrics.ts';

/**
 * Connections reserved for prices, warehouses and stock: a load of products may queue for the others. More of those
 * would only keep this thread busy with more steps at once, and each answer about a price would wait for all of them.
 */
export const CONNECTIONS = { poolSize: 4, urgentPoolSize: 4 };

/**
 * records       → `CommandIntake`                 ┐
 * notifications → `PlatformNotificationsConsumer` ┴→ lanes → `PublishRecords` → platform; results and SKUs
 */
@Module({
  imports: [
    MessagingModule.register(
      {
        reads: [
          ...Object.values(CATALOG_TOPICS),
          'platform.notifications.catalog.v1',
          'platform.notifications.orders.v1',
        ],
        urgent: VALUE_KINDS.map((kind) => CATALOG_TOPICS[kind]),
        writes: ['erp.catalog.results.v1', 'catalog.skus.v1'],
      },
      NewestSkus,
    ),
    CommandsModule.register(CATALOG_COMMAND_REPORT),
    ErasuresModule.register(NoOrderContent),
    LanesModule,
    OperationsModule,
    IntakeModule,
    ResendsModule,
  ],
})
class AppModule {}

/** Composition of the app. */
export function appOptions(config: Config, logger = createLogger({ app: APP, level: config.log.level })): AppOptions {
  const tables = { entities: messagingEntities, migrations: catalogMigrations };
  return {
    name: APP,
    module: AppModule,
    config,
    logger,
    database: new Database({ ...config.database, ...tables, ...CONNECTIONS, logger }),
    microservice: messagingServer,
  };
}
