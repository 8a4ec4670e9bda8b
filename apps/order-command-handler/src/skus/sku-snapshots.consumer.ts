import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeInSkus } from './take-in-skus.service.ts';

/** `catalog.skus.v1` → the SKUs by which items of orders are resolved. */
@Controller()
export class SkusConsumer {
  readonly #skus: TakeInSkus;

  constructor(skus: TakeInSkus) {
    this.#skus = skus;
  }

  @TopicHandler('catalog.skus.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    await this.#skus.take(batch);
  }
}
