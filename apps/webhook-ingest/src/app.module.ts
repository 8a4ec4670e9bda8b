import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { namingKafka } from '@gondola/messaging/kafka/kafka-refusal';
import { KafkaSender } from '@gondola/messaging/kafka/kafka-sender';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { registerRelayMetrics } from '@gondola/messaging/queue-metrics';
import { AdvisoryRelayLock } from '@gondola/messaging/outbox/relay-lock';
import { provisionTopics } from '@gondola/messaging/kafka/topic-provisioning';
import type { AppOptions } from '@gondola/service-kit/config/app-options';
import { Database } from '@gondola/service-kit/database/database';
import { Health } from '@gondola/service-kit/health/health';
import { createLogger, LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import type { TopicName } from '@gondola/shared/topics/topics';
import { type DynamicModule, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ForgetOld } from './retention/forget-old.service.ts';
import { IngestMetrics } from './webhook/webhook.metrics.ts';
import { Inbox } from './inbox/inbox.service.ts';
import { InboxOrSpool } from './spool/inbox-or-spool.service.ts';
import { ReceiveNotification } from './webhook/receive-notification.service.ts';
import { SpoolImporter } from './spool/spool-importer.service.ts';
import { registerSpoolMetrics } from './spool/spool.metrics.ts';
import { APP, CONFIG, type Config } from './config.ts';
import { ingestEntities, ingestMigrations } from './database.schema.ts';
import { INGEST_OPENAPI } from './webhook/webhook.openapi.ts';
import { OPERATIONS_OPENAPI } from './operations/operations.openapi.ts';
import { WebhookRoute } from './webhook/webhook.route.ts';
import { OPERATIONS_CONTROLLERS, operationsProviders } from './operations.providers.ts';
import { NotificationSource } from './relay/notification-source.repository.ts';
import { NotificationsRepository } from './inbox/notifications.repository.ts';
import { relayStartables } from './relay/relay-start.service.ts';
import { Spool } from './spool/spool.adapter.ts';
import { storeStartables } from './inbox/inbox-start.service.ts';

const WRITES: readonly TopicName[] = [
  'platform.notifications.catalog.v1',
  'platform.notifications.orders.v1',
  'platform.notifications.users.v1',
];
const STORE_CHECK = Symbol('check of the stores');
/** The broker's own default. */
const REPLICATION_FACTOR = -1;

/** webhook → `ReceiveNotification` → inbox → `OutboxRelay` → `platform.notifications.*` */
@Module({})
class AppModule {
  static register(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: OPERATIONS_CONTROLLERS,
      providers: [
        { provide: CONFIG, useValue: config },
        ...operationsProviders(config),
        WebhookRoute,
        {
          provide: NotificationsRepository,
          inject: [Database],
          useFactory: (database: Database) => new NotificationsRepository(database),
        },
        {
          provide: IngestMetrics,
          inject: [Registry],
          useFactory: (registry: Registry) => new IngestMetrics(registry),
        },
        {
          provide: OutboxRelay,
          inject: [Database, Registry, LOGGER],
          useFactory: (database: Database, registry: Registry, logger: Logger) => {
            const relay = relayOf(config, database, logger);
            registerRelayMetrics(registry, database, relay);
            return relay;
          },
        },
        {
          provide: Spool,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new Spool({ ...config.spool, logger }),
        },
        {
          provide: STORE_CHECK,
          inject: [Health, Spool, Database],
          // Ready is who can keep what comes, wherever.
          useFactory: (health: Health, spool: Spool, database: Database) =>
            health.register('store', async () => spool.isWritable || (await database.isUp())),
        },
        {
          provide: Inbox,
          inject: [NotificationsRepository, OutboxRelay, LOGGER],
          useFactory: (notifications: NotificationsRepository, relay: OutboxRelay, logger: Logger) =>
            new Inbox({ notifications, logger, onStored: () => relay.wake() }),
        },
        {
          provide: InboxOrSpool,
          inject: [Inbox, Spool, LOGGER],
          useFactory: (inbox: Inbox, spool: Spool, logger: Logger) =>
            new InboxOrSpool({
              storeAll: (items) => inbox.storeAll(items),
              spool,
              budgetMs: config.ingest.inboxBudgetMs,
              logger,
            }),
        },
        {
          provide: SpoolImporter,
          inject: [Spool, InboxOrSpool, Inbox, NotificationsRepository, Registry, LOGGER],
          useFactory: (
            spool: Spool,
            keeper: InboxOrSpool,
            inbox: Inbox,
            notifications: NotificationsRepository,
            registry: Registry,
            logger: Logger,
          ) =>
            new SpoolImporter({
              spool,
              keeper,
              probeInbox: () => notifications.probe(),
              storeAll: (items) => inbox.storeAll(items),
              receivers: config.receivers,
              onImported: registerSpoolMetrics(registry, spool, keeper),
              logger,
            }),
        },
        {
          provide: ReceiveNotification,
          inject: [InboxOrSpool, IngestMetrics, LOGGER],
          useFactory: (keeper: InboxOrSpool, metrics: IngestMetrics, logger: Logger) =>
            new ReceiveNotification({ keep: (item) => keeper.keep(item), metrics, logger, now: () => new Date() }),
        },
      ],
    };
  }
}

/** How the app is put together and started. */
export function appOptions(
  config: Config,
  logger: Logger = createLogger({ app: APP, level: config.log.level }),
): AppOptions {
  const database = new Database({
    ...config.database,
    entities: ingestEntities,
    migrations: ingestMigrations,
    logger,
  });
  return {
    name: APP,
    module: AppModule.register(config),
    config,
    logger,
    database,
    openApi: [INGEST_OPENAPI, OPERATIONS_OPENAPI],
    databaseInBackground: true,
    httpOptions: { requestTimeoutMs: config.ingest.requestTimeoutMs },
    directRoute: (app) => app.get(WebhookRoute),
    startables: (app) => [
      ...storeStartables({ connect: () => database.connect(), importer: app.get(SpoolImporter) }),
      ...relayStartables({ provisionTopics: () => provision(config, logger), relay: app.get(OutboxRelay), logger }),
      app.get(ForgetOld),
    ],
  };
}

function relayOf({ kafka }: Config, database: Database, logger: Logger): OutboxRelay {
  const source = new NotificationSource(APP);
  return new OutboxRelay({
    source,
    lock: new AdvisoryRelayLock(database, source.name),
    sender: new KafkaSender(createKafka(kafka, `gondola.${APP}.relay`, logger), kafka.topicPrefix),
    logger,
  });
}

async function provision({ kafka }: Config, logger: Logger): Promise<void> {
  const provisioned = provisionTopics({
    kafka: createKafka(kafka, `gondola.${APP}.topics`, logger),
    prefix: kafka.topicPrefix,
    partitions: kafka.partitions,
    replicationFactor: REPLICATION_FACTOR,
    topics: WRITES,
  });
  await namingKafka(kafka.brokers, provisioned);
}
