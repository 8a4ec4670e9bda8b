import type { InRecord } from '@gondola/kafka/records/record-codec';
import { readSkuRecord } from '@gondola/kafka/records/sku-record';
import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { sentencesOf } from '@gondola/shared/results/unreadable-reason';
import { skuKey } from '@gondola/shared/topics/dedup-keys';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { WakeAwaitingOrders } from './wake-awaiting-orders.service.ts';
import { type SkuChange, SkusRepository } from './skus.repository.ts';

/**
 * Mechanism 1 for `catalog.skus.v1`: stores the newest snapshot of each SKU, then which of them orders
 * wait for, before the batch is committed to Kafka.
 */
@Controller()
export class SkuSnapshotsConsumer {
  constructor(
    private readonly intake: BatchIntake,
    private readonly skus: SkusRepository,
    private readonly awaiting: WakeAwaitingOrders,
  ) {}

  @TopicHandler('catalog.skus.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    const known: SkuSnapshot[] = [];
    await this.intake.store(batch, decode, async (tx, changes) => {
      await this.skus.save(tx, changes);
      known.push(...changes.flatMap(({ snapshot }) => snapshot ?? []));
    });
    await this.awaiting.wake(known);
  }
}

function decode(record: InRecord): Decoded<SkuChange> {
  const read = readSkuRecord(record);
  if (read === null) {
    if (record.value === null) return { kind: 'skip', why: 'no-snapshot' };
    return { kind: 'dead-letter', code: 'NOT_JSON', reason: sentencesOf('NOT_JSON', 'catalog.skus.v1') };
  }
  const { tenant, skuExternalReference } = read.kind === 'snapshot' ? read.snapshot : read;
  const snapshot = read.kind === 'snapshot' ? read.snapshot : null;
  return { kind: 'item', item: { key: skuKey(tenant, skuExternalReference), snapshot }, tenant };
}
