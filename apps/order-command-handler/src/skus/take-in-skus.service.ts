import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { InRecord } from '@gondola/messaging/codec/record-codec';
import { readSkuRecord } from '@gondola/messaging/codec/sku-record';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import { skuKey } from '@gondola/shared/topics/dedup-keys';
import type { SkuChange, SkuStore } from '../orders/order-stores.ts';

/**
 * Mechanism 1 for `catalog.skus.v1`: the newest snapshot of each SKU. No lane is woken: what was told stays as it was.
 */
export class TakeInSkus {
  readonly #intake: BatchIntake;
  readonly #skus: SkuStore;

  constructor(intake: BatchIntake, skus: SkuStore) {
    this.#intake = intake;
    this.#skus = skus;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    await this.#intake.store(batch, decode, (tx, changes) => this.#skus.save(tx, changes));
  }
}

function decode(record: InRecord): Decoded<SkuChange> {
  const news = readSkuRecord(record);
  if (news === null) {
    if (record.value === null) return { kind: 'skip', why: 'no-snapshot' };
    return { kind: 'dead-letter', code: 'NOT_JSON', reason: 'The value is no SKU snapshot' };
  }
  const { tenant, skuExternalReference } = news.kind === 'snapshot' ? news.snapshot : news;
  const snapshot = news.kind === 'snapshot' ? news.snapshot : null;
  return { kind: 'item', item: { key: skuKey(tenant, skuExternalReference), snapshot }, tenant };
}
