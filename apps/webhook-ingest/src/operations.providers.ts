import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import type { Provider } from '@nestjs/common';
import { Registry } from 'prom-client';
import { EraseOrder } from './retention/erase-order.service.ts';
import { ForgetOld } from './retention/forget-old.service.ts';
import { OperationsMetrics } from './operations/operations.metrics.ts';
import { RegisterWebhook } from './registration/register-webhook.service.ts';
import { SettleQuarantined } from './quarantine/settle-quarantined.service.ts';
import type { Config } from './config.ts';
import { ErasuresController } from './retention/erasures.controller.ts';
import { NotificationsController } from './notifications/notifications.controller.ts';
import { QuarantineController } from './quarantine/quarantine.controller.ts';
import { WebhookRegistrationController } from './registration/webhook-registration.controller.ts';
import { ErasuresRepository } from './retention/erasures.repository.ts';
import { NotificationSearchRepository } from './notifications/notification-search.repository.ts';
import { NotificationsRepository } from './inbox/notifications.repository.ts';
import { QuarantineRepository } from './quarantine/quarantine.repository.ts';
import { RegistrationsRepository } from './registration/registrations.repository.ts';
import { RetentionRepository } from './retention/retention.repository.ts';
import { WebhookRegistrar } from './registration/webhook-registrar.adapter.ts';

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
