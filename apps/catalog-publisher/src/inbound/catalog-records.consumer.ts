import type { Decoded } from '@gondola/messaging/consume/batch-intake';
import { HEADER, type InRecord } from '@gondola/messaging/codec/record-codec';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { positionRecordId } from '@gondola/shared/topics/dedup-keys';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type TakenRecord, TakeRecords } from '../application/take-records.ts';
import { CONFIG, type Config } from '../config.ts';
import { CATALOG_TOPICS, type CatalogKind } from '../domain/catalog-kinds.ts';
import { readRecord } from '../domain/read-record.ts';

/** `erp.catalog.*` → records in the lanes of their entities. */
@Controller()
export class CatalogRecordsConsumer {
  readonly #take: TakeRecords;
  readonly #tenants: readonly string[];
  readonly #prefix: string;

  constructor(take: TakeRecords, @Inject(CONFIG) config: Config) {
    this.#take = take;
    this.#tenants = config.tenants.map(({ id }) => id);
    this.#prefix = config.kafka.topicPrefix;
  }

  @TopicHandler(CATALOG_TOPICS.product)
  async takeProducts(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take.take(batch, (record, traceparent) => this.#decode('product', record, traceparent));
  }

  @TopicHandler(CATALOG_TOPICS.brand)
  async takeBrands(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take.take(batch, (record, traceparent) => this.#decode('brand', record, traceparent));
  }

  @TopicHandler(CATALOG_TOPICS.category)
  async takeCategories(@Payload() batch: RecordBatch): Promise<void> {
    await this.#take.take(batch, (record, traceparent) => this.#decode('category', record, traceparent));
  }

  #decode(kind: CatalogKind, record: InRecord, traceparent: string): Decoded<TakenRecord> {
    const { key, value, partition, offset } = record;
    const position = positionRecordId(fullTopicName(this.#prefix, CATALOG_TOPICS[kind]), partition, offset);
    const read = readRecord({ key, value, tenantHeader: record.header(HEADER.tenant), position }, this.#tenants);
    if (read.kind === 'unreadable') {
      const { code, reason, tenant } = read;
      return { kind: 'dead-letter', code, reason, ...(tenant !== undefined && { tenant }) };
    }
    const { identity } = read;
    const item = { kind, identity, value, traceparent };
    return { kind: 'item', tenant: identity.tenant, item };
  }
}
