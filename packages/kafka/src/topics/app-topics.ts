import { Inject, Injectable } from '@nestjs/common';

import type { Startable } from '@gondola/service-kit/run/startable';

import { MESSAGING_OPTIONS, type MessagingOptions } from '../client/messaging-options.ts';
import { KafkaClients } from '../client/kafka-clients.ts';
import { namingKafka } from '../client/kafka-refusal.ts';
import { missingReads } from './missing-rights.ts';
import { missingRight } from './needed-rights.ts';
import { provisionTopics, TopicsUnfitError } from './topic-provisioning.ts';

const BROKER_DEFAULT_REPLICATION = -1;

/** Creates or checks the topics that the app reads and writes, and its rights to read, before anything uses them. */
@Injectable()
export class AppTopics implements Startable {
  readonly name = 'topics';

  constructor(
    private readonly clients: KafkaClients,
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
  ) {}

  async start(): Promise<void> {
    await namingKafka(this.options.kafka.brokers, this.#provision());
  }

  async #provision(): Promise<void> {
    const { kafka, topicPrefix: prefix, reads, writes, group } = this.options;
    const client = this.clients.for('topics');
    await provisionTopics({
      kafka: client,
      prefix,
      partitions: kafka.partitions,
      replicationFactor: BROKER_DEFAULT_REPLICATION,
      topics: [...reads, ...writes, 'dead-letters.v1'],
      reads,
    });
    const missing = await missingReads(client, { prefix, reads, group });
    if (missing.length > 0) throw new TopicsUnfitError(missing.map(missingRight));
  }

  async stop(): Promise<void> {}
}
