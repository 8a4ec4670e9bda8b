import { createKafka } from '@gondola/messaging/kafka-client';
import { KafkaSender } from '@gondola/messaging/kafka-sender';
import { OutboxRelay } from '@gondola/messaging/outbox-relay';
import { AdvisoryRelayLock } from '@gondola/messaging/relay-lock';
import { provisionTopics } from '@gondola/messaging/topic-provisioning';
import type { AppOptions } from '@gondola/service-kit/app-options';
import { Database } from '@gondola/service-kit/database';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logger';
import type { Startable } from '@gondola/service-kit/startable';
import type { TopicName } from '@gondola/shared/topics';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ReceiveNotification } from './application/receive-notification.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { QuarantineController } from './inbound/quarantine.controller.ts';
import { WebhookRoutes } from './inbound/webhook.routes.ts';
import { NotificationSource } from './outbound/notification-source.ts';
import { CreateNotifications1760000002001 } from './outbound/notifications.migration.ts';
import { NotificationsRepository } from './outbound/notifications.repository.ts';

const WRITES: readonly TopicName[] = [
  'platform.notifications.catalog.v1',
  'platform.notifications.orders.v1',
  'platform.notifications.users.v1',
];
/** The broker's own default. */
const REPLICATION_FACTOR = -1;

/** webhook → `ReceiveNotification` → inbox → `OutboxRelay` → `platform.notifications.*` */
@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: [QuarantineController],
      providers: [
        { provide: CONFIG, useValue: config },
        WebhookRoutes,
        {
          provide: NotificationsRepository,
          inject: [Database],
          useFactory: (database: Database) => new NotificationsRepository(database),
        },
        {
          provide: OutboxRelay,
          inject: [Database, LOGGER],
          useFactory: (database: Database, logger: Logger) => relay(config, database, logger),
        },
        {
          provide: ReceiveNotification,
          inject: [NotificationsRepository, OutboxRelay, Registry, LOGGER],
          useFactory: (
            notifications: NotificationsRepository,
            relaying: OutboxRelay,
            registry: Registry,
            logger: Logger,
          ) =>
            new ReceiveNotification({
              notifications,
              registry,
              logger,
              now: () => new Date(),
              onStored: () => relaying.nudge(),
            }),
        },
      ],
    };
  }
}

/** How the app is put together and started. */
export function appOptions(config: Config): AppOptions {
  const logger = createLogger({ app: APP, level: config.log.level });
  const database = new Database({ ...config.database, migrations: [CreateNotifications1760000002001], logger });
  return {
    name: APP,
    module: AppModule.register(config),
    config,
    logger,
    database,
    startables: (app) => [topics(config, logger), app.get(OutboxRelay)],
  };
}

function relay(config: Config, database: Database, logger: Logger): OutboxRelay {
  const source = new NotificationSource(APP);
  return new OutboxRelay({
    source,
    lock: new AdvisoryRelayLock(database, source.name),
    sender: new KafkaSender(createKafka(config.kafka, `${APP}-relay`, logger), config.kafka.topicPrefix),
    logger,
  });
}

function topics({ kafka }: Config, logger: Logger): Startable {
  return {
    name: 'topics',
    start: () =>
      provisionTopics({
        kafka: createKafka(kafka, `${APP}-admin`, logger),
        prefix: kafka.topicPrefix,
        partitions: kafka.partitions,
        replicationFactor: REPLICATION_FACTOR,
        topics: WRITES,
      }),
    stop: async () => {},
  };
}
