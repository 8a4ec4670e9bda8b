import type { BatchIntake, Decoded } from '@gondola/messaging/consume/batch-intake';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { InRecord } from '@gondola/messaging/codec/record-codec';
import { readSkuRecord } from '@gondola/messaging/codec/sku-record';
import type { RecordBatch } from '@gondola/messaging/consume/topic-handler';
import type { Tx } from '@gondola/service-kit/database/database';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { tenantOf } from '@gondola/shared/topics/tenant-of';
import type { LaneKind } from '../domain/read-file-command.ts';
import type { KnownSku, SkuStore } from './file-stores.ts';

export interface TakeSkuSnapshotsParts {
  readonly intake: BatchIntake;
  readonly lanes: Lanes;
  readonly skus: SkuStore;
  readonly tenants: readonly string[];
  readonly wake: () => void;
}

const IMAGE_LANE = 'sku-images' satisfies LaneKind;

/**
 * Keeps which SKUs the platform has, and wakes the lanes of those whose images somebody asked for. Only these: a lane
 * for each SKU of a catalog would be a row and a step for nothing. A lane that is made in the same moment is looked
 * after by its own due time.
 */
export class TakeSkuSnapshots {
  readonly #parts: TakeSkuSnapshotsParts;

  constructor(parts: TakeSkuSnapshotsParts) {
    this.#parts = parts;
  }

  /** Resolves when the batch is committed. */
  async take(batch: RecordBatch): Promise<void> {
    await this.#parts.intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, skus) => this.#insert(tx, skus),
    );
    this.#parts.wake();
  }

  #decode(record: InRecord): Decoded<KnownSku> {
    const news = readSkuRecord(record);
    if (news === null) return { kind: 'skip', why: 'no-snapshot' };
    const { tenant: named, skuExternalReference } = news.kind === 'snapshot' ? news.snapshot : news;
    const owner = tenantOf({ header: named, field: undefined, known: this.#parts.tenants });
    // Compacted records outlive their tenant.
    if (!owner.ok) return { kind: 'skip', why: 'tenant-unknown' };
    if (!isIdentityText(skuExternalReference)) return { kind: 'skip', why: 'no-identity' };
    const exists = news.kind === 'snapshot';
    const { tenant } = owner;
    return { kind: 'item', item: { tenant, externalReference: skuExternalReference, exists }, tenant };
  }

  async #insert(tx: Tx, known: readonly KnownSku[]): Promise<void> {
    const { lanes, skus } = this.#parts;
    const keys = known.map(({ tenant, externalReference: identity }) => ({ tenant, kind: IMAGE_LANE, identity }));
    await lanes.wake(tx, await lanes.existing(tx, keys));
    await skus.save(tx, known);
  }
}
