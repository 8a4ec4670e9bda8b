import { deadLettersOpenApi } from '@gondola/messaging/dead-letters/dead-letters.openapi';
import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { MessagingModule, messagingServer } from '@gondola/messaging/messaging.module';
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { type DynamicModule, Module } from '@nestjs/common';
import { ORDER_COMMAND_REPORT } from './commands/order-commands.metrics.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { OrderCommandsConsumer } from './commands/order-commands.consumer.ts';
import { OrderNotificationsConsumer } from './notifications/order-notifications.consumer.ts';
import { OrdersController } from './operations/orders.controller.ts';
import { ordersOpenApi } from './operations/orders.openapi.ts';
import { PdfResultsConsumer } from './invoices/pdf-results.consumer.ts';
import { SkusConsumer } from './skus/sku-snapshots.consumer.ts';
import { intake, operations, outbound, workers } from './order-providers.ts';
import { orderEntities, orderMigrations } from './database.schema.ts';

/**
 * notifications → `TakeInNotifications` → facts   ┐
 * commands      → `CommandIntake`       → queue   ┼→ lanes → `RunOrderLanes` → platform; events, results,
 * files.results → `TakeInPdfResults`    → results ┘                            file commands
 * catalog.skus  → `TakeInSkus`          → SKUs, by which items are resolved
 */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        MessagingModule.register({
          reads: [
            'platform.notifications.orders.v1',
            'erp.orders.commands.v1',
            'erp.files.results.v1',
            'catalog.skus.v1',
          ],
          writes: ['erp.orders.events.v1', 'erp.orders.results.v1', 'erp.files.commands.v1'],
        }),
        CommandsModule.register(ORDER_COMMAND_REPORT),
      ],
      controllers: [
        OrderNotificationsConsumer,
        OrderCommandsConsumer,
        PdfResultsConsumer,
        SkusConsumer,
        OrdersController,
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        ...outbound(),
        ...intake(config),
        workers(config),
        operations(),
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
    database: new Database({ ...config.database, entities: orderEntities, migrations: orderMigrations, logger }),
    microservice: messagingServer,
    openApi: [deadLettersOpenApi, ordersOpenApi],
  };
}
