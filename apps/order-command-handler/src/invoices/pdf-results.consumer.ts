import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeInPdfResults } from './take-in-pdf-results.service.ts';

/** `erp.files.results.v1` → what became of the PDFs of invoices. */
@Controller()
export class PdfResultsConsumer {
  readonly #results: TakeInPdfResults;

  constructor(results: TakeInPdfResults) {
    this.#results = results;
  }

  @TopicHandler('erp.files.results.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    await this.#results.take(batch);
  }
}
