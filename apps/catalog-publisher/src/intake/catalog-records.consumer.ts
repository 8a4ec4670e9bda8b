import { isValueKind } from '@gondola/shared/topics/values';
import { HEADER } from '@gondola/kafka/records/record-codec';
import { CommandIntake, type CommandSource } from '@gondola/lanes/commands/command-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { Database } from '@gondola/service-kit/database/database';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { positionRecordId } from '@gondola/shared/topics/dedup-keys';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { Config } from '../config.ts';
import { CatalogTenants } from '../lanes/catalog-tenants.service.ts';
import { CATALOG_RESULTS, CATALOG_TOPICS, conflictOf, kindOfTopic } from '../records/catalog-kinds.ts';
import { readRecordIdentity } from '../records/read-record.ts';
import { LoadsRepository } from './loads.repository.ts';

/** `erp.catalog.*` → records in the lanes of their entities. */
@Controller()
export class CatalogRecordsConsumer {
  constructor(
    private readonly intake: CommandIntake,
    private readonly loads: LoadsRepository,
    private readonly database: Database,
    private readonly tenants: CatalogTenants,
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
      results: CATALOG_RESULTS,
      conflict: conflictOf(kind),
      beside: async (tx, records) => void (await this.loads.note(tx, records)),
      read: (record, tenants) => {
        const { key, value, partition, offset } = record;
        const position = positionRecordId(fullName, partition, offset);
        const bytes = { key, value, tenantHeader: record.header(HEADER.tenant), position };
        return readRecordIdentity(kind, bytes, tenants, this.tenants.placeNames);
      },
    };
  }
}
