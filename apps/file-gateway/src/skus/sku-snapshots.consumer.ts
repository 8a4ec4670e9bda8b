import { BatchIntake, type Decoded } from '@gondola/lanes/intake/batch-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import type { InRecord } from '@gondola/kafka/records/record-codec';
import { readSkuRecord } from '@gondola/kafka/records/sku-record';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { LaneKind } from '../lane-kinds.ts';
import { type KnownSku, SkusRepository } from './skus.repository.ts';

const IMAGE_LANE = 'sku-images' satisfies LaneKind;

/**
 * Stores from `catalog.skus.v1` which SKUs are on the platform, and wakes the existing lanes of these SKUs. It
 * creates no lanes: one for each SKU of a catalog would cost a row and a step for nothing. A lane created at the
 * same moment is woken by its own due time.
 */
@Controller()
export class SkuSnapshotsConsumer {
  readonly #tenants: readonly string[];

  constructor(
    private readonly intake: BatchIntake,
    private readonly lanes: Lanes,
    private readonly skus: SkusRepository,
    private readonly workers: LaneWorkers,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  /** Resolves when the batch is committed. */
  @TopicHandler('catalog.skus.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.store(
      batch,
      (record) => this.#decode(record),
      (tx, skus) => this.#insert(tx, skus),
    );
    this.workers.wake();
  }

  #decode(record: InRecord): Decoded<KnownSku> {
    const read = readSkuRecord(record, this.#tenants);
    if (read.kind !== 'item') return read;
    const { tenant, skuExternalReference, snapshot } = read.item;
    return {
      kind: 'item',
      item: { tenant, externalReference: skuExternalReference, exists: snapshot !== null },
      tenant,
    };
  }

  async #insert(tx: Tx, known: readonly KnownSku[]): Promise<void> {
    const keys = known.map(({ tenant, externalReference: identity }) => ({ tenant, kind: IMAGE_LANE, identity }));
    await this.lanes.wake(tx, await this.lanes.existing(tx, keys));
    await this.skus.save(tx, known);
  }
}
