import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeSkuSnapshots } from '../application/take-sku-snapshots.ts';

/** `catalog.skus.v1` → which SKUs the platform has. */
@Controller()
export class SkuSnapshotsConsumer {
  readonly #snapshots: TakeSkuSnapshots;

  constructor(snapshots: TakeSkuSnapshots) {
    this.#snapshots = snapshots;
  }

  @TopicHandler('catalog.skus.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.#snapshots.take(batch);
  }
}
