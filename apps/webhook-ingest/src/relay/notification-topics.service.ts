import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { namingKafka } from '@gondola/messaging/kafka/kafka-refusal';
import { provisionTopics } from '@gondola/messaging/kafka/topic-provisioning';
import { settlesWithin } from '@gondola/messaging/within';
import { isTransientStartFailure } from '@gondola/service-kit/database/database-errors';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import type { TopicName } from '@gondola/shared/topics/topics';
import { Inject, Injectable } from '@nestjs/common';
import { APP, type Config } from '../config.ts';

const TOPICS: readonly TopicName[] = [
  'platform.notifications.catalog.v1',
  'platform.notifications.orders.v1',
  'platform.notifications.users.v1',
];
/** Uses the broker's own default. */
const REPLICATION_FACTOR = -1;
/** Longest delay of the boot by Kafka. */
const PATIENCE_MS = 3_000;

/**
 * The topics that the app writes. The start fails on unfit topics before the app is ready, but does not wait for a
 * Kafka that is away: received notifications then wait in the inbox, while an ingest that is not ready would
 * receive nothing and lose them. Tested in notification-topics.service.unit.spec.ts and test/outages.long.spec.ts.
 */
@Injectable()
export class NotificationTopics implements Startable {
  readonly name = 'topics';
  protected readonly patienceMs: number = PATIENCE_MS;
  #areProvisioned = false;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'kafka'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    const { name: startable, patienceMs: timeoutMs } = this;
    try {
      const provisioning = this.provision();
      if (await settlesWithin(timeoutMs, provisioning)) await provisioning;
      else this.logger.warn({ startable, timeoutMs }, 'Kafka does not answer; notifications wait in the inbox');
    } catch (err) {
      if (!isTransientStartFailure(err)) throw err;
      this.logger.warn({ startable, err }, 'Kafka is unreachable; notifications wait in the inbox');
    }
  }

  async stop(): Promise<void> {}

  /** Returns once the topics exist and fit. */
  async provision(): Promise<void> {
    if (this.#areProvisioned) return;
    await this.provisionNow();
    this.#areProvisioned = true;
  }

  protected async provisionNow(): Promise<void> {
    const { kafka } = this.config;
    const provisioned = provisionTopics({
      kafka: createKafka(kafka, `gondola.${APP}.topics`, this.logger),
      prefix: kafka.topicPrefix,
      partitions: kafka.partitions,
      replicationFactor: REPLICATION_FACTOR,
      topics: TOPICS,
    });
    await namingKafka(kafka.brokers, provisioned);
  }
}
