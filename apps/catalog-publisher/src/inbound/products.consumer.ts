import type { Decoded } from '@gondola/messaging/batch-intake';
import { HEADER, type InRecord } from '@gondola/messaging/record-codec';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/topic-handler';
import { positionRecordId } from '@gondola/shared/dedup-keys';
import { fullTopicName } from '@gondola/shared/topics';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { PRODUCTS_TOPIC, type TakenRecord, TakeProductRecords } from '../application/take-product-records.ts';
import { CONFIG, type Config } from '../config.ts';
import { readProductRecord } from '../domain/read-product-record.ts';

/** `erp.catalog.products.v1` → records in the lanes of their products. */
@Controller()
export class ProductsConsumer {
  readonly #take: TakeProductRecords;
  readonly #tenants: readonly string[];
  readonly #topic: string;

  constructor(take: TakeProductRecords, @Inject(CONFIG) config: Config) {
    this.#take = take;
    this.#tenants = config.tenants.map(({ id }) => id);
    this.#topic = fullTopicName(config.kafka.topicPrefix, PRODUCTS_TOPIC);
  }

  @TopicHandler(PRODUCTS_TOPIC)
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take.take(batch, (record) => this.#decode(record));
  }

  #decode(record: InRecord): Decoded<TakenRecord> {
    const { key, value, partition, offset } = record;
    const position = positionRecordId(this.#topic, partition, offset);
    const read = readProductRecord({ key, value, tenantHeader: record.header(HEADER.tenant), position }, this.#tenants);
    if (read.kind === 'unreadable') {
      const { code, reason, tenant } = read;
      return { kind: 'dead-letter', code, reason, ...(tenant !== undefined && { tenant }) };
    }
    const { identity } = read;
    return {
      kind: 'item',
      tenant: identity.tenant,
      item: { identity, value, traceparent: record.header(HEADER.traceparent) },
    };
  }
}
