import {
  type DynamicModule,
  type FactoryProvider,
  type INestApplicationContext,
  Module,
  type OnApplicationBootstrap,
  type Type,
} from '@nestjs/common';

import type { KafkaConfig } from '@gondola/service-kit/config/config-shapes';
import { Database } from '@gondola/service-kit/database/database';
import { AppInfo } from '@gondola/service-kit/health/app-info';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Starts } from '@gondola/service-kit/run/startable';
import { withShadows } from '@gondola/shared/topics/topics';

import { BatchIntake } from '@gondola/lanes/intake/batch-intake';
import { Commands } from '@gondola/lanes/commands/commands';
import { LoadCounts } from '@gondola/lanes/commands/load-counts';
import { ConsumedRecords, LagWatch } from '@gondola/kafka/server/consumed-records';
import { DeadLetters, DeadLetterSweep } from '@gondola/lanes/dead-letters/dead-letters';
import { DeadLettersController } from './dead-letters/dead-letters.controller.ts';
import { OpenDeadLetters } from './dead-letters/open-dead-letters.ts';
import { OrderErasuresRepository } from '@gondola/lanes/erased-orders/order-erasures.repository';
import { AppTopics } from '@gondola/kafka/topics/app-topics';
import { ConsumerLag } from '@gondola/kafka/server/consumer-lag';
import { sessionTimings } from '@gondola/kafka/server/consumer-timings';
import { KafkaBatchServer } from '@gondola/kafka/server/kafka-batch-server';
import { KafkaClients } from '@gondola/kafka/client/kafka-clients';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { BulkJobsController } from './jobs/bulk-jobs.controller.ts';
import { BulkJobs } from '@gondola/lanes/jobs/bulk-jobs';
import { BulkTarget } from '@gondola/lanes/jobs/bulk-target';
import { RunBulkJobs } from '@gondola/lanes/jobs/run-bulk-jobs';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import {
  MESSAGING_OPTIONS,
  type MessagingOptions,
  type MessagingTopics,
} from '@gondola/kafka/client/messaging-options';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { ParkedController } from './parked/parked.controller.ts';
import { ParkedOutbox } from './parked/parked-outbox.ts';
import { ParkedSource } from './parked/parked-source.ts';
import { QueueMetrics } from './queue-metrics.ts';
import { NewestOfKeys } from '@gondola/lanes/replays/newest-of-keys';
import { ReplayKafka } from '@gondola/lanes/replays/replay-kafka';
import { Replays } from '@gondola/lanes/replays/replays';
import { RunReplays } from '@gondola/lanes/replays/run-replays';
import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import { ShadowModesModule } from './shadow/shadow-modes.module.ts';
import { BeginReplay } from './replays/begin-replay.service.ts';
import { ReplaysController } from './replays/replays.controller.ts';

const OUTBOX: FactoryProvider<Outbox> = {
  provide: Outbox,
  inject: [MESSAGING_OPTIONS, ShadowModes],
  useFactory: ({ app }: MessagingOptions, modes: ShadowModes) => new Outbox(app, modes),
};

const RELAY: FactoryProvider<OutboxRelay> = {
  provide: OutboxRelay,
  inject: [MESSAGING_OPTIONS, KafkaClients, Database, LOGGER, Outbox],
  useFactory: (
    { topicPrefix }: MessagingOptions,
    clients: KafkaClients,
    database: Database,
    logger: Logger,
    { recent }: Outbox,
  ) => {
    const source = new OutboxSource(recent);
    const lock = new AdvisoryRelayLock(database, source.name);
    return new OutboxRelay({ source, lock, sender: new KafkaSender(clients.for('relay'), topicPrefix), logger });
  },
};

const SERVER: FactoryProvider<KafkaBatchServer> = {
  provide: KafkaBatchServer,
  inject: [MESSAGING_OPTIONS, KafkaClients, MessagingMetrics, LOGGER],
  useFactory: (options: MessagingOptions, clients: KafkaClients, metrics: MessagingMetrics, logger: Logger) => {
    const { app, topicPrefix, group, reads, urgent, kafka } = options;
    const timings = sessionTimings(kafka.sessionMs);
    return new KafkaBatchServer({
      app,
      kafka: clients.for('consumer'),
      topicPrefix,
      group,
      reads,
      ...(urgent !== undefined && { urgent }),
      metrics,
      logger,
      timings,
    });
  },
};

/** Providers for the app's features. */
const PROVIDED = [
  OUTBOX,
  RELAY,
  SERVER,
  Lanes,
  Commands,
  LoadCounts,
  DeadLetters,
  BatchIntake,
  ConsumedRecords,
  OrderErasuresRepository,
];

/**
 * The three mechanisms that use Kafka or PostgreSQL, ready to be injected by class. Tenants and the `kafka`
 * settings come from the service kit, as do database, metrics registry and logger.
 */
@Starts(AppTopics, OutboxRelay, DeadLetterSweep, RunBulkJobs, RunReplays, LagWatch)
@Module({})
export class MessagingModule implements OnApplicationBootstrap {
  constructor(private readonly server: KafkaBatchServer) {}

  /** `newest` knows the published state of the compacted topic that the app writes, if any. */
  static register(topics: MessagingTopics, newest: Type<NewestOfKeys> = NewestOfKeys): DynamicModule {
    const options: FactoryProvider<MessagingOptions> = {
      provide: MESSAGING_OPTIONS,
      inject: [AppInfo, CONFIG, TENANTS],
      useFactory: (
        { name: app }: AppInfo,
        { kafka }: { kafka: KafkaConfig },
        tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'mode'>>,
      ) => {
        const shadows = new Set(tenants.flatMap(({ id, mode }) => (mode === 'shadow' ? [id] : [])));
        const { reads, urgent = [], writes } = topics;
        return {
          reads: withShadows(reads, shadows.size > 0),
          urgent: withShadows(urgent, shadows.size > 0),
          writes: withShadows(writes, shadows.size > 0),
          app,
          kafka,
          topicPrefix: kafka.topicPrefix,
          group: `${kafka.topicPrefix}gondola.${app}`,
          tenants: tenants.map(({ id }) => id),
          shadows,
        };
      },
    };
    return {
      module: MessagingModule,
      global: true,
      imports: [ShadowModesModule],
      controllers: [DeadLettersController, BulkJobsController, ParkedController, ReplaysController],
      providers: [
        options,
        KafkaClients,
        MessagingMetrics,
        QueueMetrics,
        ConsumerLag,
        AppTopics,
        DeadLetterSweep,
        OpenDeadLetters,
        { provide: BulkTarget, useExisting: OpenDeadLetters },
        { provide: ParkedSource, useClass: ParkedOutbox },
        BulkJobs,
        RunBulkJobs,
        { provide: NewestOfKeys, useClass: newest },
        ReplayKafka,
        BeginReplay,
        Replays,
        RunReplays,
        LagWatch,
        ...PROVIDED,
      ],
      exports: [...PROVIDED, KafkaClients, MESSAGING_OPTIONS],
    };
  }

  /** Runs before anything is connected; otherwise waiting for Kafka or the database would hide the mistake. */
  onApplicationBootstrap(): void {
    this.server.checkHandlers();
  }
}

/** The microservice for `runApp`. */
export function messagingServer(app: INestApplicationContext): KafkaBatchServer {
  return app.get(KafkaBatchServer, { strict: false });
}
