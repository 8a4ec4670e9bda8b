import { createKafka } from '@gondola/kafka/client/kafka-client';
import { namingKafka } from '@gondola/kafka/client/kafka-refusal';
import { provisionTopics } from '@gondola/kafka/topics/topic-provisioning';
import { settlesWithin } from '@gondola/service-kit/run/within';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';
import { type TopicName, withShadows } from '@gondola/shared/topics/topics';
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
 * The topics that the app writes. The boot waits for the first attempt to provision them, so that records can be read
 * from the start, but neither a Kafka that is away nor one that refuses (login, certificate, unfit topics) ends it:
 * received notifications wait in the inbox, while an ingest that does not run would receive nothing and lose them.
 * The relay tries again, and shows and logs why it waits. Tested in notification-topics.service.unit.spec.ts and
 * test/kafka-refuses.e2e.spec.ts.
 */
@Injectable()
export class NotificationTopics implements Startable {
  readonly name = 'topics';
  protected readonly patienceMs: number = PATIENCE_MS;
  #areProvisioned = false;
  #provisioning: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'kafka' | 'tenants'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async start(): Promise<void> {
    await settlesWithin(this.patienceMs, this.provision());
  }

  async stop(): Promise<void> {}

  /** Returns once the topics exist and fit. A call during an attempt waits for the same attempt. */
  async provision(): Promise<void> {
    if (this.#areProvisioned) return;
    this.#provisioning ??= this.provisionNow().finally(() => (this.#provisioning = undefined));
    await this.#provisioning;
    this.#areProvisioned = true;
  }

  protected async provisionNow(): Promise<void> {
    const { kafka, tenants } = this.config;
    const isAnyInShadow = tenants.some(({ mode }) => mode === 'shadow');
    const provisioned = provisionTopics({
      kafka: createKafka(kafka, `gondola.${APP}.topics`, this.logger),
      prefix: kafka.topicPrefix,
      partitions: kafka.partitions,
      replicationFactor: REPLICATION_FACTOR,
      topics: withShadows(TOPICS, isAnyInShadow),
    });
    await namingKafka(kafka.brokers, provisioned);
  }
}
