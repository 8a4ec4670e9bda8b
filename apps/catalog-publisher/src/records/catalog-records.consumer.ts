import { HEADER } from '@gondola/messaging/codec/record-codec';
import { CommandIntake, type CommandSource } from '@gondola/messaging/commands/command-intake';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { CONFIG } from '@gondola/service-kit/run/injected';
import { positionRecordId } from '@gondola/shared/topics/dedup-keys';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Config } from '../config.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS, type CatalogKind } from './catalog-kinds.ts';
import { readRecordIdentity } from './read-record.ts';

/** `erp.catalog.*` → records in the lanes of their entities. */
@Controller()
export class CatalogRecordsConsumer {
  constructor(
    private readonly intake: CommandIntake,
    @Inject(CONFIG) private readonly config: { readonly kafka: Pick<Config['kafka'], 'topicPrefix'> },
  ) {}

  @TopicHandler(CATALOG_TOPICS.product)
  async takeProducts(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.take(batch, this.#source('product', { skus: [] }));
  }

  @TopicHandler(CATALOG_TOPICS.brand)
  async takeBrands(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.take(batch, this.#source('brand'));
  }

  @TopicHandler(CATALOG_TOPICS.category)
  async takeCategories(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.take(batch, this.#source('category'));
  }

  #source(kind: CatalogKind, conflict: CommandSource['conflict'] = {}): CommandSource {
    const topic = fullTopicName(this.config.kafka.topicPrefix, CATALOG_TOPICS[kind]);
    return {
      results: CATALOG_RESULTS,
      conflict,
      read: (record, tenants) => {
        const { key, value, partition, offset } = record;
        const position = positionRecordId(topic, partition, offset);
        return readRecordIdentity(kind, { key, value, tenantHeader: record.header(HEADER.tenant), position }, tenants);
      },
    };
  }
}
