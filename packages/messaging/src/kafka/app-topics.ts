import { Inject, Injectable } from '@nestjs/common';

import type { Startable } from '@gondola/service-kit/run/startable';

import { MESSAGING_OPTIONS, type MessagingOptions } from './messaging-options.ts';
import { KafkaClients } from './kafka-clients.ts';
import { namingKafka } from './kafka-refusal.ts';
import { provisionTopics } from './topic-provisioning.ts';

const BROKER_DEFAULT_REPLICATION = -1;

/** Creates or checks the topics that the app reads and writes, before anything uses them. */
@Injectable()
export class AppTopics implements Startable {
  readonly name = 'topics';

  constructor(
    private readonly clients: KafkaClients,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {}

  async start(): Promise<void> {
    const { kafka, topicPrefix, reads, writes } = this.options;
    const provisioned = provisionTopics({
      kafka: this.clients.for('topics'),
      prefix: topicPrefix,
      partitions: kafka.partitions,
      replicationFactor: BROKER_DEFAULT_REPLICATION,
      topics: [...reads, ...writes, 'dead-letters.v1'],
    });
    await namingKafka(kafka.brokers, provisioned);
  }

  async stop(): Promise<void> {}
}
