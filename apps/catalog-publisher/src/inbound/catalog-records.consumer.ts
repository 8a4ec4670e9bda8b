import { HEADER } from '@gondola/messaging/codec/record-codec';
import { CommandIntake, type CommandSource } from '@gondola/messaging/commands/command-intake';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { positionRecordId } from '@gondola/shared/topics/dedup-keys';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { CONFIG } from '@gondola/service-kit/run/injected';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Config } from '../config.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS, type CatalogKind } from '../domain/catalog-kinds.ts';
import { readRecordIdentity } from '../domain/read-record.ts';

/** `erp.catalog.*` → records in the lanes of their entities. */
@Controller()
export class CatalogRecordsConsumer {
  readonly #intake: CommandIntake;
  readonly #sources: Readonly<Record<CatalogKind, CommandSource>>;

  constructor(intake: CommandIntake, @Inject(CONFIG) config: Config) {
    const { topicPrefix } = config.kafka;
    this.#intake = intake;
    this.#sources = {
      product: source('product', topicPrefix, { skus: [] }),
      brand: source('brand', topicPrefix, {}),
      category: source('category', topicPrefix, {}),
    };
  }

  @TopicHandler(CATALOG_TOPICS.product)
  async takeProducts(@Payload() batch: RecordBatch): Promise<void> {
    await this.#intake.take(batch, this.#sources.product);
  }

  @TopicHandler(CATALOG_TOPICS.brand)
  async takeBrands(@Payload() batch: RecordBatch): Promise<void> {
    await this.#intake.take(batch, this.#sources.brand);
  }

  @TopicHandler(CATALOG_TOPICS.category)
  async takeCategories(@Payload() batch: RecordBatch): Promise<void> {
    await this.#intake.take(batch, this.#sources.category);
  }
}

function source(kind: CatalogKind, topicPrefix: string, conflict: CommandSource['conflict']): CommandSource {
  return {
    results: CATALOG_RESULTS,
    conflict,
    read: (record, tenants) => {
      const { key, value, partition, offset } = record;
      const position = positionRecordId(fullTopicName(topicPrefix, CATALOG_TOPICS[kind]), partition, offset);
      return readRecordIdentity(kind, { key, value, tenantHeader: record.header(HEADER.tenant), position }, tenants);
    },
  };
}
