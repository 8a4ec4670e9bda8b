import type { Registry } from 'prom-client';

import type { KafkaConfig } from '@gondola/service-kit/config/config-shapes';
import type { Database } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';
import { pooledRandomBytes } from '@gondola/service-kit/http/trace';
import type { TopicName } from '@gondola/shared/topics/topics';

import { BatchIntake } from './consume/batch-intake.ts';
import { Commands } from './commands/commands.ts';
import { ConsumedRecords } from './consume/consumed-records.ts';
import { ConsumerLag } from './kafka/consumer-lag.ts';
import { CONSUMER_TIMINGS, type ConsumerTimings } from './kafka/consumer-timings.ts';
import { DeadLetters } from './dead-letters/dead-letters.ts';
import { KafkaBatchServer } from './kafka/kafka-batch-server.ts';
import { createKafka } from './kafka/kafka-client.ts';
import { namingKafka } from './kafka/kafka-refusal.ts';
import { KafkaSender } from './kafka/kafka-sender.ts';
import { Lanes } from './lanes/lanes.ts';
import { MessagingMetrics } from './messaging-metrics.ts';
import { OutboxRelay } from './outbox/outbox-relay.ts';
import { OutboxSource } from './outbox/outbox-source.ts';
import { Outbox } from './outbox/outbox.ts';
import { registerLaneMetrics, registerRelayMetrics } from './queue-metrics.ts';
import { AdvisoryRelayLock } from './outbox/relay-lock.ts';
import { RepeatingTask } from './repeating-task.ts';
import { provisionTopics } from './kafka/topic-provisioning.ts';
import { settlesWithin } from './within.ts';

export interface MessagingOptions {
  /** As in the contract, such as `order-command-handler`: names the consumer group and `ce_source`. */
  readonly app: string;
  readonly kafka: KafkaConfig;
  /** Ids of the tenants that are configured. */
  readonly tenants: readonly string[];
  /** Topics with a `@TopicHandler` in this app. */
  readonly reads: readonly TopicName[];
  /** Topics whose records this app puts into its outbox, the dead letters aside. */
  readonly writes: readonly TopicName[];
}

export interface MessagingNeeds {
  readonly database: Database;
  readonly registry: Registry;
  readonly logger: Logger;
}

export interface MessagingParts {
  readonly outbox: Outbox;
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly relay: OutboxRelay;
  readonly deadLetters: DeadLetters;
  readonly intake: BatchIntake;
  readonly server: KafkaBatchServer;
  readonly consumed: ConsumedRecords;
  /** To be started in this order, before the server. */
  readonly startables: readonly Startable[];
}

const LAG_MS = 10_000;
const SWEEP_MS = 3_600_000;
const ADMIN_STOP_MS = 1_000;
const BROKER_DEFAULT_REPLICATION = -1;

/** Makes one app's messaging; nothing is connected yet. */
export function messagingParts(options: MessagingOptions, needs: MessagingNeeds): MessagingParts {
  const { app, kafka, reads, tenants } = options;
  const { database, logger } = needs;
  const { topicPrefix } = kafka;
  const group = consumerGroup(options);
  const metrics = new MessagingMetrics(needs.registry);
  const outbox = new Outbox(app);
  const relay = outboxRelay(options, needs);
  registerRelayMetrics(needs.registry, database, relay);
  registerLaneMetrics(needs.registry, database);
  const wakeRelay = (): void => relay.wake();
  const randomBytes = pooledRandomBytes();
  const origin = { app, group, topicPrefix, tenants };
  const deadLetters = new DeadLetters({ ...origin, database, outbox, metrics, randomBytes, wakeRelay });
  const lag = new ConsumerLag({ kafka: client(options, 'lag', logger), topicPrefix, group, reads, metrics });
  const consumed = new ConsumedRecords(lag);
  const consumer = client(options, 'consumer', logger);
  return {
    outbox,
    lanes: new Lanes(database),
    commands: new Commands(),
    relay,
    deadLetters,
    intake: new BatchIntake({ database, deadLetters, metrics, logger, randomBytes }),
    server: new KafkaBatchServer({
      app,
      kafka: consumer,
      topicPrefix,
      group,
      reads,
      metrics,
      logger,
      timings: sessionTimings(kafka),
    }),
    consumed,
    startables: [
      topics(options, logger),
      relay,
      new RepeatingTask({ name: 'dead letter sweep', everyMs: SWEEP_MS, run: () => deadLetters.deleteOld(), logger }),
      lagWatch(lag, consumed, logger),
    ],
  };
}

/** Kafka's advice: a third of the session at most, so that a heartbeat may be late. */
function sessionTimings({ sessionMs }: KafkaConfig): Pick<ConsumerTimings, 'sessionMs' | 'heartbeatMs'> {
  return { sessionMs, heartbeatMs: Math.min(CONSUMER_TIMINGS.heartbeatMs, Math.floor(sessionMs / 3)) };
}

/** The consumer group of an app: `<prefix>gondola.<app>`. */
export function consumerGroup({ kafka, app }: Pick<MessagingOptions, 'kafka' | 'app'>): string {
  return `${kafka.topicPrefix}gondola.${app}`;
}

/** Each purpose has a client of its own: kafkajs shares committed offsets between the consumers of one. */
function client({ app, kafka }: MessagingOptions, purpose: string, logger: Logger) {
  return createKafka(kafka, `gondola.${app}.${purpose}`, logger);
}

function outboxRelay(options: MessagingOptions, { database, logger }: MessagingNeeds): OutboxRelay {
  const source = new OutboxSource();
  const lock = new AdvisoryRelayLock(database, source.name);
  const sender = new KafkaSender(client(options, 'relay', logger), options.kafka.topicPrefix);
  return new OutboxRelay({ source, lock, sender, logger });
}

function topics(options: MessagingOptions, logger: Logger): Startable {
  const { kafka, reads, writes } = options;
  const start = (): Promise<void> =>
    namingKafka(
      kafka.brokers,
      provisionTopics({
        kafka: client(options, 'topics', logger),
        prefix: kafka.topicPrefix,
        partitions: kafka.partitions,
        replicationFactor: BROKER_DEFAULT_REPLICATION,
        topics: [...reads, ...writes, 'dead-letters.v1'],
      }),
    );
  return { name: 'topics', start, stop: async () => {} };
}

/** Stopped after the lane workers, which ask how far the group is. */
function lagWatch(lag: ConsumerLag, consumed: ConsumedRecords, logger: Logger): Startable {
  const task = new RepeatingTask({ name: 'consumer lag', everyMs: LAG_MS, run: () => lag.check(), logger });
  const stop = async (): Promise<void> => {
    await Promise.all([task.stop(), settlesWithin(ADMIN_STOP_MS, consumed.stop())]);
    await settlesWithin(ADMIN_STOP_MS, lag.close());
  };
  return { name: task.name, start: () => task.start(), stop };
}
