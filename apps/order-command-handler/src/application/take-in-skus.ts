import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { InRecord } from '@gondola/messaging/codec/record-codec';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import { readSkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { SkuChange, SkuStore } from './order-stores.ts';

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

function decode({ key, value }: InRecord): Decoded<SkuChange> {
  const text = key?.toString('utf8');
  if (text === undefined) return { kind: 'skip', why: 'no-key' };
  if (value === null) return { kind: 'item', item: { key: text, snapshot: null } };
  const snapshot = readSkuSnapshot(value);
  if (snapshot === null) return { kind: 'dead-letter', code: 'NOT_JSON', reason: 'The value is no SKU snapshot' };
  return { kind: 'item', item: { key: text, snapshot }, tenant: snapshot.tenant };
}
