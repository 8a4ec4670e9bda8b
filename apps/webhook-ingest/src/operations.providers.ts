import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { EraseOrder } from './application/erase-order.ts';
import { ForgetOld } from './application/forget-old.ts';
import { OperationsMetrics } from './application/operations-metrics.ts';
import { RegisterWebhook } from './application/register-webhook.ts';
import { SettleQuarantined } from './application/settle-quarantined.ts';
import type { Config } from './config.ts';
import { ErasuresController } from './inbound/erasures.controller.ts';
import { NotificationsController } from './inbound/notifications.controller.ts';
import { QuarantineController } from './inbound/quarantine.controller.ts';
import { WebhookRegistrationController } from './inbound/webhook-registration.controller.ts';
import { ErasuresRepository } from './outbound/erasures.repository.ts';
import { NotificationSearchRepository } from './outbound/notification-search.repository.ts';
import { NotificationsRepository } from './outbound/notifications.repository.ts';
import { QuarantineRepository } from './outbound/quarantine.repository.ts';
import { RegistrationsRepository } from './outbound/registrations.repository.ts';
import { RetentionRepository } from './outbound/retention.repository.ts';
import { WebhookRegistrar } from './outbound/webhook-registrar.ts';

export const OPERATIONS_CONTROLLERS = [
  NotificationsController,
  QuarantineController,
  WebhookRegistrationController,
  ErasuresController,
];

const now = () => new Date();

/** What works behind the operations API, and on what is kept; what takes deliveries is in `app.module.ts`. */
export function operationsProviders(config: Config): Provider[] {
  return [
    ...[NotificationSearchRepository, ErasuresRepository, RegistrationsRepository, RetentionRepository].map(
      (Repository) => ({
        provide: Repository,
        inject: [Database],
        useFactory: (database: Database) => new Repository(database),
      }),
    ),
    {
      provide: QuarantineRepository,
      inject: [Database, NotificationsRepository],
      useFactory: (database: Database, notifications: NotificationsRepository) =>
        new QuarantineRepository(database, notifications),
    },
    {
      provide: OperationsMetrics,
      inject: [Registry, Database],
      useFactory: (registry: Registry, database: Database) => new OperationsMetrics(registry, database),
    },
    {
      provide: SettleQuarantined,
      inject: [QuarantineRepository, OutboxRelay, LOGGER],
      useFactory: (quarantine: QuarantineRepository, relay: OutboxRelay, logger: Logger) =>
        new SettleQuarantined({
          quarantine,
          receivers: config.receivers,
          logger,
          onStored: () => relay.wake(),
        }),
    },
    {
      provide: RegisterWebhook,
      inject: [RegistrationsRepository, LOGGER],
      useFactory: (attempts: RegistrationsRepository, logger: Logger) => {
        const registrar = new WebhookRegistrar(config.platformTenants, logger);
        return new RegisterWebhook({ attempts, registrar, tenants: config.tenants, logger });
      },
    },
    {
      provide: EraseOrder,
      inject: [ErasuresRepository, OperationsMetrics, LOGGER],
      useFactory: (erasures: ErasuresRepository, metrics: OperationsMetrics, logger: Logger) =>
        new EraseOrder({ erasures, metrics, logger, now }),
    },
    {
      provide: ForgetOld,
      inject: [RetentionRepository, EraseOrder, OperationsMetrics, LOGGER],
      useFactory: (retention: RetentionRepository, erasing: EraseOrder, metrics: OperationsMetrics, logger: Logger) => {
        const {
          tenants,
          retention: { everyMs },
        } = config;
        return new ForgetOld({ retention, erasing, tenants, metrics, logger, now, everyMs });
      },
    },
  ];
}
