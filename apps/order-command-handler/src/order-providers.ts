import { BatchIntake } from '@gondola/messaging/consume/batch-intake';
import { Attempts } from '@gondola/messaging/commands/attempts';
import { Commands } from '@gondola/messaging/commands/commands';
import { StepSaver } from '@gondola/messaging/commands/step-saver';
import { ConsumedRecords } from '@gondola/messaging/consume/consumed-records';
import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import type { Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { EventReport } from './orders/order-events.metrics.ts';
import { ShowOrder } from './operations/show-order.service.ts';
import { TakeInNotifications } from './notifications/take-in-notifications.service.ts';
import { TakeInPdfResults } from './invoices/take-in-pdf-results.service.ts';
import { TakeInSkus } from './skus/take-in-skus.service.ts';
import type { Config } from './config.ts';
import { orderSteps } from './order-worker.ts';
import { OrderFactsRepository } from './notifications/order-facts.repository.ts';
import { OrdersRepository } from './orders/orders.repository.ts';
import { PdfResultsRepository } from './invoices/pdf-results.repository.ts';
import { PlatformAdapter } from './platform/platform.adapter.ts';
import { SkusRepository } from './skus/skus.repository.ts';

const now = (): number => Date.now();

/** Facts and orders, what is told about them, and how the platform is called. */
export function outbound(): Provider[] {
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
      provide: EventReport,
      inject: [Registry],
      useFactory: (registry: Registry) => new EventReport(registry),
    },
  ];
}

/** Mechanism 1: what comes in from Kafka. */
export function intake({ tenants }: Config): Provider[] {
  const ids = tenants.map(({ id }) => id);
  return [
    {
      provide: TakeInNotifications,
      inject: [BatchIntake, Lanes, OrderFactsRepository, LaneWorkers],
      useFactory: (batches: BatchIntake, lanes: Lanes, facts: OrderFactsRepository, workers: LaneWorkers) =>
        new TakeInNotifications({
          intake: batches,
          lanes,
          facts,
          tenants: ids,
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
          tenants: ids,
          wake: () => workers.wake(),
        }),
    },
  ];
}

/** Mechanism 2: the steps of the order lanes. */
export function workers(config: Config): Provider {
  return {
    provide: 'order steps',
    inject: [
      LaneWorkers,
      Database,
      Lanes,
      Commands,
      Attempts,
      StepSaver,
      OrderFactsRepository,
      OrdersRepository,
      EventReport,
      ConsumedRecords,
      PlatformClients,
      LOGGER,
      SkusRepository,
      PdfResultsRepository,
    ],
    useFactory: (
      workers: LaneWorkers,
      database: Database,
      lanes: Lanes,
      commands: Commands,
      attempts: Attempts,
      save: StepSaver,
      facts: OrderFactsRepository,
      orders: OrdersRepository,
      events: EventReport,
      consumed: ConsumedRecords,
      platforms: PlatformClients,
      logger: Logger,
      skus: SkusRepository,
      pdfResults: PdfResultsRepository,
    ) => {
      const stores = { facts, orders, skus, pdfResults };
      const parts = { database, lanes, commands, attempts, save, ...stores, events, consumed, logger, now };
      const steps = new Map(
        config.tenants.map((tenant) => {
          const platform = new PlatformAdapter(platforms.of(tenant.id), tenant.platform.profile);
          return [tenant.id, orderSteps(config, tenant, platform, parts)] as const;
        }),
      );
      const { kind, batchSize } = [...steps.values()][0]!;
      workers.add({ kind, batchSize, step: (claimed, signal) => steps.get(claimed[0]!.tenant)!.step(claimed, signal) });
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
