import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { KafkaSender } from '@gondola/messaging/kafka/kafka-sender';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { AdvisoryRelayLock } from '@gondola/messaging/outbox/relay-lock';
import { registerRelayMetrics } from '@gondola/messaging/queue-metrics';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { Inject, Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { APP, type Config } from '../config.ts';
import { NotificationSource } from './notification-source.repository.ts';
import { NotificationTopics } from './notification-topics.service.ts';

/** Publishes the inbox in the background as soon as the topics exist. */
@Injectable()
export class NotificationRelay implements Startable {
  readonly name: string;
  readonly background = true;
  readonly #relay: OutboxRelay;

  constructor(
    private readonly topics: NotificationTopics,
    database: Database,
    registry: Registry,
    @Inject(CONFIG) { kafka }: Pick<Config, 'kafka'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const source = new NotificationSource(APP);
    this.#relay = new OutboxRelay({
      source,
      lock: new AdvisoryRelayLock(database, source.name),
      sender: new KafkaSender(createKafka(kafka, `gondola.${APP}.relay`, logger), kafka.topicPrefix),
      logger,
    });
    this.name = this.#relay.name;
    registerRelayMetrics(registry, database, this.#relay);
  }

  async start(): Promise<void> {
    await this.topics.provision();
    await this.#relay.start();
  }

  async stop(): Promise<void> {
    await this.#relay.stop();
  }

  /** Wakes the relay because a new notification waits. */
  wake(): void {
    this.#relay.wake();
  }
}
