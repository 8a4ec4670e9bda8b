import type { InRecord } from '@gondola/kafka/records/record-codec';
import { readSkuRecord } from '@gondola/kafka/records/sku-record';
import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { skuKey } from '@gondola/shared/topics/dedup-keys';
import { Controller, Inject } from '@nestjs/common';
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
  readonly #tenants: readonly string[];

  constructor(
    private readonly intake: BatchIntake,
    private readonly skus: SkusRepository,
    private readonly awaiting: WakeAwaitingOrders,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @TopicHandler('catalog.skus.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    const known: SkuSnapshot[] = [];
    await this.intake.store(
      batch,
      (record) => decode(record, this.#tenants),
      async (tx, changes) => {
        await this.skus.save(tx, changes);
        known.push(...changes.flatMap(({ snapshot }) => snapshot ?? []));
      },
    );
    await this.awaiting.wake(known);
  }
}

function decode(record: InRecord, tenants: readonly string[]): Decoded<SkuChange> {
  const read = readSkuRecord(record, tenants);
  if (read.kind !== 'item') return read;
  const { tenant, skuExternalReference, snapshot } = read.item;
  return { kind: 'item', item: { key: skuKey(tenant, skuExternalReference), snapshot }, tenant };
}
