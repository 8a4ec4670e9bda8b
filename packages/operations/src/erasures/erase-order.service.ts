import { Inject, Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';

import { DeadLetters } from '@gondola/lanes/dead-letters/dead-letters';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { OrderErasuresRepository } from '@gondola/lanes/erased-orders/order-erasures.repository';
import { StoredShadowCalls } from '@gondola/lanes/shadow/stored-shadow-calls';
import type { OrderErasure } from './erasures.dto.ts';
import { type ErasedOrder, OrderContent } from '@gondola/lanes/erased-orders/order-content';
import { KafkaClients } from '@gondola/kafka/client/kafka-clients';
import { topicRemains } from '@gondola/kafka/topics/topic-remains';
import { withShadows } from '@gondola/shared/topics/topics';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@gondola/kafka/client/messaging-options';

/**
 * Erases what an app stores about an order, and records that it did.
 *
 *   one transaction: lock its lanes ──▶ erase the app's content ──▶ redact its waiting records, delete its parked ones,
 *                    erase its dead letters ──▶ record the erasure
 *
 * Content that is stored later about the order finds the record of the erasure, and is stored without personal
 * data. Tested in erasures.int.spec.ts.
 */
@Injectable()
export class EraseOrder {
  constructor(
    private readonly database: Database,
    private readonly content: OrderContent,
    private readonly deadLetters: DeadLetters,
    private readonly outbox: Outbox,
    private readonly shadowCalls: StoredShadowCalls,
    private readonly erasures: OrderErasuresRepository,
    private readonly clients: KafkaClients,
    @Inject(MESSAGING_OPTIONS) private readonly options: Pick<MessagingOptions, 'topicPrefix' | 'shadows'>,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(order: ErasedOrder): Promise<OrderErasure> {
    const { tenant, orderNumber } = order;
    const at = new Date(this.clock.now());
    const saved = await this.database.transaction(async (tx) => {
      const { erased, stays } = await this.content.erase(tx, order);
      await this.outbox.redactWaiting(tx, order, (topic, value) => this.content.withoutPeople(topic, value));
      const parked = await this.outbox.eraseParked(tx, tenant, orderNumber);
      const deadLetters = await this.deadLetters.erase(tx, tenant, orderNumber);
      const leftOut = await this.shadowCalls.erase(tx, tenant, orderNumber);
      const all = { ...erased, ...(leftOut > 0 && { leftOut }), ...(parked > 0 && { parked }), deadLetters };
      return { id: await this.erasures.add(tx, order, at, all), erased: all, stays };
    });
    this.logger.info({ tenant, orderNumber }, 'The content of an order was erased');
    const isAnyInShadow = this.options.shadows.size > 0;
    const kafka = { kafka: this.clients.for('topics'), prefix: this.options.topicPrefix };
    const topics = await topicRemains(
      kafka,
      [...withShadows(this.content.topics, isAnyInShadow), 'dead-letters.v1'],
      at,
    );
    return { ...order, ...saved, at, topics };
  }
}
