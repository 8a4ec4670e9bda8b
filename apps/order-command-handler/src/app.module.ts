import { BatchIntake } from '@gondola/messaging/batch-intake';
import { Commands } from '@gondola/messaging/commands';
import { ConsumerLag } from '@gondola/messaging/consumer-lag';
import { deadLettersOpenApi } from '@gondola/messaging/dead-letters.openapi';
import { Lanes } from '@gondola/messaging/lanes';
import { MessagingModule, messagingServer, messagingStartables } from '@gondola/messaging/messaging.module';
import { Outbox } from '@gondola/messaging/outbox';
import { OutboxRelay } from '@gondola/messaging/outbox-relay';
import type { AppOptions } from '@gondola/service-kit/app-options';
import { Database } from '@gondola/service-kit/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logger';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { OrderReport } from './application/order-report.ts';
import { ShowOrder } from './application/show-order.ts';
import { TakeInCommands } from './application/take-in-commands.ts';
import { TakeInNotifications } from './application/take-in-notifications.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { OrderCommandsConsumer } from './inbound/order-commands.consumer.ts';
import { OrderNotificationsConsumer } from './inbound/order-notifications.consumer.ts';
import { OrderWorkers } from './inbound/order-workers.ts';
import { OrdersController } from './inbound/orders.controller.ts';
import { ordersOpenApi } from './inbound/orders.openapi.ts';
import { orderWorker } from './order-worker.ts';
import { ConsumedRecordsAdapter } from './outbound/consumed-records.adapter.ts';
import { OrderFactsRepository } from './outbound/order-facts.repository.ts';
import { orderMigrations } from './outbound/order-migrations.ts';
import { OrdersRepository } from './outbound/orders.repository.ts';
import { PlatformClients } from './outbound/platform-clients.ts';

const now = (): number => Date.now();

/**
 * notifications → `TakeInNotifications` → facts   ┐
 * commands      → `TakeInCommands`      → queue   ┴→ lanes → `RunOrderLanes` → platform; `erp.orders.events.v1`, `erp.orders.results.v1`
 */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    const languages = new Map(config.tenants.map(({ id, language }) => [id, language]));
    return {
      module: AppModule,
      imports: [
        MessagingModule.register({
          app: APP,
          kafka: config.kafka,
          reads: ['platform.notifications.orders.v1', 'erp.orders.commands.v1'],
          writes: ['erp.orders.events.v1', 'erp.orders.results.v1'],
        }),
      ],
      controllers: [OrderNotificationsConsumer, OrderCommandsConsumer, OrdersController],
      providers: [
        { provide: CONFIG, useValue: config },
        {
          provide: OrderFactsRepository,
          inject: [Database],
          useFactory: (database: Database) => new OrderFactsRepository(database),
        },
        {
          provide: OrdersRepository,
          inject: [Database],
          useFactory: (database: Database) => new OrdersRepository(database),
        },
        {
          provide: PlatformClients,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new PlatformClients(config.tenants, config.times.platformTimeoutMs, logger),
        },
        {
          provide: OrderReport,
          inject: [Registry, LOGGER, OutboxRelay],
          useFactory: (registry: Registry, logger: Logger, relay: OutboxRelay) =>
            new OrderReport({ registry, logger, nudgeRelay: () => relay.nudge() }),
        },
        {
          provide: TakeInNotifications,
          inject: [BatchIntake, Lanes, OrderFactsRepository, OrderWorkers],
          useFactory: (intake: BatchIntake, lanes: Lanes, facts: OrderFactsRepository, workers: OrderWorkers) =>
            new TakeInNotifications({
              intake,
              lanes,
              facts,
              tenants: [...languages.keys()],
              nudge: () => workers.nudge(),
            }),
        },
        {
          provide: TakeInCommands,
          inject: [BatchIntake, Lanes, Commands, Outbox, OrderWorkers, OutboxRelay],
          useFactory: (
            intake: BatchIntake,
            lanes: Lanes,
            commands: Commands,
            outbox: Outbox,
            workers: OrderWorkers,
            relay: OutboxRelay,
          ) => {
            const nudge = (): void => (workers.nudge(), relay.nudge());
            return new TakeInCommands({ intake, lanes, commands, outbox, languages, now, nudge });
          },
        },
        {
          provide: ShowOrder,
          inject: [Database, Commands, OrderFactsRepository, OrdersRepository],
          useFactory: (database: Database, commands: Commands, facts: OrderFactsRepository, orders: OrdersRepository) =>
            new ShowOrder({ database, commands, facts, orders }),
        },
        {
          provide: OrderWorkers,
          inject: [
            Database,
            Lanes,
            Commands,
            Outbox,
            OrderFactsRepository,
            OrdersRepository,
            OrderReport,
            ConsumerLag,
            PlatformClients,
            LOGGER,
          ],
          useFactory: (
            database: Database,
            lanes: Lanes,
            commands: Commands,
            outbox: Outbox,
            facts: OrderFactsRepository,
            orders: OrdersRepository,
            report: OrderReport,
            lag: ConsumerLag,
            platforms: PlatformClients,
            logger: Logger,
          ) => {
            const consumed = new ConsumedRecordsAdapter(lag);
            const parts = { database, lanes, commands, outbox, facts, orders, report, consumed, logger, now };
            return new OrderWorkers(
              config.tenants.map((tenant) => orderWorker(config, tenant, platforms.of(tenant.id), parts)),
            );
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
    database: new Database({ ...config.database, migrations: orderMigrations, logger }),
    startables: (app) => [...messagingStartables(app), app.get(PlatformClients), ...app.get(OrderWorkers).all],
    microservice: messagingServer,
    openApi: [deadLettersOpenApi, ordersOpenApi],
  };
}
