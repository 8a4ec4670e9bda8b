import type { AppOptions } from '@gondola/service-kit/run/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger, type Logger } from '@gondola/service-kit/logging/logger';
import { RunBulkJobs } from '@gondola/lanes/jobs/run-bulk-jobs';
import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import { ParkedController } from '@gondola/operations/parked/parked.controller';
import { ParkedSource } from '@gondola/operations/parked/parked-source';
import { ShadowModesModule } from '@gondola/operations/shadow/shadow-modes.module';
import { TodayController, TodaySource } from '@gondola/operations/today/today.controller';
import { Module } from '@nestjs/common';
import { APP, type Config } from './config.ts';
import { ingestEntities, ingestMigrations } from './database.schema.ts';
import { InboxModule } from './inbox/inbox.module.ts';
import { InboxStart } from './inbox/inbox-start.service.ts';
import { MirrorModule } from './mirror/mirror.module.ts';
import { MirrorSender } from './mirror/mirror-sender.service.ts';
import { QuarantineModule } from './quarantine/quarantine.module.ts';
import { WebhookCertificates } from './registration/webhook-certificates.service.ts';
import { RegistrationModule } from './registration/registration.module.ts';
import { NotificationRelay } from './relay/notification-relay.service.ts';
import { InboxToday } from './relay/inbox-today.service.ts';
import { ParkedNotifications } from './relay/parked-notifications.repository.ts';
import { NotificationTopics } from './relay/notification-topics.service.ts';
import { ForgetOld } from './retention/forget-old.service.ts';
import { RetentionModule } from './retention/retention.module.ts';
import { SpoolImporter } from './spool/spool-importer.service.ts';
import { SpoolModule } from './spool/spool.module.ts';
import { DeliveryHoursController } from './webhook/delivery-hours.controller.ts';
import { DeliveryHours } from './webhook/delivery-hours.service.ts';
import { WebhookMetrics } from './webhook/webhook.metrics.ts';
import { webhookOpenApi } from './webhook/webhook.dto.ts';
import { WebhookRoute } from './webhook/webhook.route.ts';

/**
 * Stores webhook deliveries in the inbox or the spool, relays them to `platform.notifications.*` and to the tenants'
 * mirrors, and serves operators.
 */
@Module({
  imports: [
    ShadowModesModule,
    InboxModule,
    SpoolModule,
    QuarantineModule,
    RegistrationModule,
    RetentionModule,
    MirrorModule,
  ],
  controllers: [DeliveryHoursController, ParkedController, TodayController],
  providers: [
    DeliveryHours,
    { provide: ParkedSource, useClass: ParkedNotifications },
    { provide: TodaySource, useClass: InboxToday },
    WebhookMetrics,
    WebhookRoute,
  ],
})
class AppModule {}

/**
 * Start order, which modules cannot express: deliveries wait until the opened spool shows whether anything is left
 * to import; the inbox and Kafka delay the boot by a few seconds at most.
 */
const STARTED = [
  ShadowModes,
  SpoolImporter,
  InboxStart,
  NotificationTopics,
  NotificationRelay,
  MirrorSender,
  ForgetOld,
  RunBulkJobs,
  DeliveryHours,
  WebhookCertificates,
];

/** Modules, start order and HTTP options of the app. */
export function appOptions(
  config: Config,
  logger: Logger = createLogger({ app: APP, level: config.log.level }),
): AppOptions {
  const tables = { entities: ingestEntities, migrations: ingestMigrations };
  return {
    name: APP,
    module: AppModule,
    config,
    logger,
    database: new Database({ ...config.database, ...tables, logger }),
    openApi: [webhookOpenApi],
    databaseInBackground: true,
    httpOptions: { requestTimeoutMs: config.ingest.requestTimeoutMs },
    directRoute: (app) => app.get(WebhookRoute, { strict: false }),
    startables: (app) => STARTED.map((startable) => app.get(startable, { strict: false })),
  };
}
