import { Inject, Injectable } from '@nestjs/common';
import type { Kafka } from 'kafkajs';

import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';

import { MESSAGING_OPTIONS, type MessagingOptions } from './messaging-options.ts';
import { createKafka } from './kafka-client.ts';

/**
 * Clients of this app's Kafka, one per purpose: kafkajs shares committed offsets between the consumers of one
 * client.
 */
@Injectable()
export class KafkaClients {
  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: MessagingOptions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  for(purpose: 'consumer' | 'lag' | 'relay' | 'replay' | 'topics'): Kafka {
    const { kafka, app } = this.options;
    return createKafka(kafka, `gondola.${app}.${purpose}`, this.logger);
  }
}
