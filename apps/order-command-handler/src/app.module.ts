import { CommandsModule } from '@gondola/operations/commands.module';
import { MessagingModule, messagingServer } from '@gondola/operations/messaging.module';
import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module.ts';
import { ORDER_COMMAND_REPORT } from './commands/order-commands.ts';
import { APP, type Config } from './config.ts';
import { orderEntities, orderMigrations } from './database.schema.ts';
import { LanesModule } from './lanes/lanes.module.ts';
import { OperationsModule } from './operations/operations.module.ts';
import { RetentionModule } from './retention/retention.module.ts';
import { RecoveryModule } from './recovery/recovery.module.ts';

const MESSAGING = MessagingModule.register({
  reads: ['platform.notifications.orders.v1', 'erp.orders.commands.v1', 'erp.files.results.v1', 'catalog.skus.v1'],
  writes: ['erp.orders.events.v1', 'erp.orders.results.v1', 'erp.files.commands.v1'],
});

/**
 * notifications → facts   ┐
 * commands      → queue   ┼→ lanes → `OrderLanes` → platform; events, results, file commands
 * files.results → results ┘
 * catalog.skus  → SKUs, by which items are resolved
 * gaps in the order numbers → recovery → platform; facts
 * a month → audit → platform's reads; differences
 */
@Module({
  imports: [
    MESSAGING,
    CommandsModule.register(ORDER_COMMAND_REPORT),
    LanesModule,
    RecoveryModule,
    AuditModule,
    OperationsModule,
    RetentionModule,
  ],
})
class AppModule {}

export function appOptions(config: Config, logger = createLogger({ app: APP, level: config.log.level })): AppOptions {
  return {
    name: APP,
    module: AppModule,
    config,
    logger,
    database: new Database({ ...config.database, entities: orderEntities, migrations: orderMigrations, logger }),
    microservice: messagingServer,
  };
}
