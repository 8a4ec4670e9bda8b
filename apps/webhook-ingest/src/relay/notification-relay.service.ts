import { createKafka } from '@gondola/kafka/client/kafka-client';
import { kafkaRefusal } from '@gondola/kafka/client/kafka-refusal';
import { KafkaSender, RecordSendError } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { RecentRows } from '@gondola/lanes/outbox/recent-rows';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { registerRelayMetrics } from '@gondola/operations/queue-metrics';
import { SettingError } from '@gondola/service-kit/config/config';
import { Database } from '@gondola/service-kit/database/database';
import { Health } from '@gondola/service-kit/health/health';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { APP, type Config } from '../config.ts';
import { NotificationSource } from './notification-source.repository.ts';
import { NotificationTopics } from './notification-topics.service.ts';
import { MOST_RECENT_BYTES, type RecentNotifications, type StoredGroup, waitingRows } from './recent-notifications.ts';

/**
 * Publishes the inbox in the background as soon as the topics exist. A Kafka that refuses ends neither the app nor the
 * attempts: the app goes on receiving, and readiness shows why nothing is published.
 */
@Injectable()
export class NotificationRelay implements Startable {
  readonly name: string;
  readonly background = true;
  readonly retriesEveryFailure = true;
  readonly #brokers: readonly string[];
  readonly #relay: OutboxRelay;
  readonly #recent: RecentNotifications = new RecentRows(MOST_RECENT_BYTES);

  constructor(
    private readonly topics: NotificationTopics,
    database: Database,
    registry: Registry,
    health: Health,
    @Inject(CONFIG) { kafka }: Pick<Config, 'kafka'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const source = new NotificationSource(APP, this.#recent);
    this.#relay = new OutboxRelay({
      source,
      lock: new AdvisoryRelayLock(database, source.name),
      sender: new KafkaSender(createKafka(kafka, `gondola.${APP}.relay`, logger), kafka.topicPrefix),
      logger,
    });
    this.#brokers = kafka.brokers;
    this.name = this.#relay.name;
    registerRelayMetrics(registry, database, this.#relay);
    health.register(this.name, () => this.#isWorking(), { required: false });
  }

  async start(): Promise<void> {
    await this.topics.provision();
    await this.#relay.start();
  }

  async stop(): Promise<void> {
    await this.#relay.stop();
  }

  /** Throws what the relay waits for, if it waits. */
  #isWorking(): boolean {
    const { failure } = this.#relay;
    if (failure === undefined) return true;
    const refusal = kafkaRefusal(this.#brokers, failure instanceof RecordSendError ? failure.cause : failure);
    throw refusal instanceof SettingError ? refusal : failure;
  }

  /** Topics that Kafka refuses, and since when. */
  refusedTopics(now: number): ReturnType<OutboxRelay['refusedTopics']> {
    return this.#relay.refusedTopics(now);
  }

  /** Wakes the relay because a new notification waits. */
  wake(): void {
    this.#relay.wake();
  }

  /** Wakes the relay because notifications were stored, and committed. */
  publish(stored: StoredGroup): void {
    if (this.#relay.isActive()) this.#recent.add(waitingRows(stored));
    else this.#recent.clear();
    this.#relay.wake();
  }
}
