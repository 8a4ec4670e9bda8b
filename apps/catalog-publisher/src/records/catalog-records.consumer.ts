import { HEADER } from '@gondola/messaging/codec/record-codec';
import { CommandIntake, type CommandSource } from '@gondola/messaging/commands/command-intake';
import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Database } from '@gondola/service-kit/database/database';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { positionRecordId } from '@gondola/shared/topics/dedup-keys';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Config } from '../config.ts';
import { CATALOG_TOPICS, isValueKind, kindOfTopic } from './catalog-kinds.ts';
import { RecordSource } from './record-source.service.ts';
import { readRecordIdentity } from './read-record.ts';

/** `erp.catalog.*` → records in the lanes of their entities. */
@Controller()
export class CatalogRecordsConsumer {
  constructor(
    private readonly intake: CommandIntake,
    private readonly source: RecordSource,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: { readonly kafka: Pick<Config['kafka'], 'topicPrefix'> },
  ) {}

  @TopicHandler(...Object.values(CATALOG_TOPICS))
  async take(@Payload() batch: RecordBatch): Promise<void> {
    const take = (): Promise<void> => this.intake.take(batch, this.#sourceOf(batch));
    await (isValueKind(kindOfTopic(batch.topic)) ? this.database.urgently(take) : take());
  }

  #sourceOf({ topic }: RecordBatch): CommandSource {
    const kind = kindOfTopic(topic);
    const fullName = fullTopicName(this.config.kafka.topicPrefix, topic);
    return {
      ...this.source.of(kind),
      read: (record, tenants) => {
        const { key, value, partition, offset } = record;
        const position = positionRecordId(fullName, partition, offset);
        return readRecordIdentity(kind, { key, value, tenantHeader: record.header(HEADER.tenant), position }, tenants);
      },
    };
  }
}
