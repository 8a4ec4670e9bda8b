import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { CommandReport } from '@gondola/messaging/commands/command-report';
import { Commands } from '@gondola/messaging/commands/commands';
import { commandIntakeProvider } from '@gondola/messaging/commands/command-intake.provider';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { Outbox } from '@gondola/messaging/outbox/outbox';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import type { Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { EventReport } from './application/event-report.ts';
import { orderCommandReport } from './application/order-command-report.ts';
import { ShowOrder } from './application/show-order.ts';
import { TakeInNotifications } from './application/take-in-notifications.ts';
import { TakeInPdfResults } from './application/take-in-pdf-results.ts';
import { TakeInSkus } from './application/take-in-skus.ts';
import type { Config } from './config.ts';
import { orderWorker } from './order-worker.ts';
import { OrderFactsRepository } from './outbound/order-facts.repository.ts';
import { OrdersRepository } from './outbound/orders.repository.ts';
import { PdfResultsRepository } from './outbound/pdf-results.repository.ts';
import { PlatformAdapter } from './outbound/platform.adapter.ts';
import { SkusRepository } from './outbound/skus.repository.ts';

const now = (): number => Date.now();

/** Facts and orders, what is told about them, and how the platform is called. */
export function outbound({ tenants, times }: Config): Provider[] {
  return [
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
    ...[SkusRepository, PdfResultsRepository].map((Repository) => ({
      provide: Repository,
      inject: [Database],
      useFactory: (database: Database) => new Repository(database),
    })),
    {
      provide: PlatformClients,
      inject: [LOGGER],
      useFactory: (logger: Logger) =>
        new PlatformClients({ tenants, timeoutMs: times.platformTimeoutMs, logger, adapt: (client) => client }),
    },
    {
      provide: CommandReport,
      inject: [Registry, LOGGER],
      useFactory: orderCommandReport,
    },
    {
      provide: EventReport,
      inject: [Registry],
      useFactory: (registry: Registry) => new EventReport(registry),
    },
  ];
}

/** Mechanism 1: what comes in from Kafka. */
export function intake({ tenants }: Config): Provider[] {
  const languages = new Map(tenants.map(({ id, language }) => [id, language]));
  return [
    {
      provide: TakeInNotifications,
      inject: [BatchIntake, Lanes, OrderFactsRepository, LaneWorkers],
      useFactory: (batches: BatchIntake, lanes: Lanes, facts: OrderFactsRepository, workers: LaneWorkers) =>
        new TakeInNotifications({
          intake: batches,
          lanes,
          facts,
          tenants: [...languages.keys()],
          wake: () => workers.wake(),
        }),
    },
    {
      provide: TakeInSkus,
      inject: [BatchIntake, SkusRepository],
      useFactory: (batches: BatchIntake, skus: SkusRepository) => new TakeInSkus(batches, skus),
    },
    {
      provide: TakeInPdfResults,
      inject: [BatchIntake, Lanes, Commands, PdfResultsRepository, LaneWorkers],
      useFactory: (
        batches: BatchIntake,
        lanes: Lanes,
        commands: Commands,
        results: PdfResultsRepository,
        workers: LaneWorkers,
      ) =>
        new TakeInPdfResults({
          intake: batches,
          lanes,
          commands,
          results,
          tenants: [...languages.keys()],
          wake: () => workers.wake(),
        }),
    },
    commandIntakeProvider(languages),
  ];
}

/** Mechanism 2: the workers of the order lanes, one per tenant. */
export function workers(config: Config): Provider {
  return {
    provide: LaneWorkers,
    inject: [
      Database,
      Lanes,
      Commands,
      Outbox,
      OrderFactsRepository,
      OrdersRepository,
      CommandReport,
      EventReport,
      OutboxRelay,
      ConsumedRecords,
      PlatformClients,
      LOGGER,
      SkusRepository,
      PdfResultsRepository,
    ],
    useFactory: (
      database: Database,
      lanes: Lanes,
      commands: Commands,
      outbox: Outbox,
      facts: OrderFactsRepository,
      orders: OrdersRepository,
      report: CommandReport,
      events: EventReport,
      relay: OutboxRelay,
      consumed: ConsumedRecords,
      platforms: PlatformClients<PlatformClient>,
      logger: Logger,
      skus: SkusRepository,
      pdfResults: PdfResultsRepository,
    ) => {
      const stores = { facts, orders, skus, pdfResults };
      const parts = { database, lanes, commands, outbox, ...stores, report, events, relay, consumed, logger, now };
      return new LaneWorkers(
        config.tenants.map((tenant) => {
          const platform = new PlatformAdapter(platforms.of(tenant.id), tenant.platform.profile);
          return orderWorker(config, tenant, platform, parts);
        }),
      );
    },
  };
}

/** What operators look at. */
export function operations(): Provider {
  return {
    provide: ShowOrder,
    inject: [Database, Lanes, Commands, OrderFactsRepository, OrdersRepository, SkusRepository],
    useFactory: (
      database: Database,
      lanes: Lanes,
      commands: Commands,
      facts: OrderFactsRepository,
      orders: OrdersRepository,
      skus: SkusRepository,
    ) => new ShowOrder({ database, lanes, commands, facts, orders, skus }),
  };
}
