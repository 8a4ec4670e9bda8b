import { Module } from '@nestjs/common';
import { PdfResultsConsumer } from './pdf-results.consumer.ts';
import { PdfResultsRepository } from './pdf-results.repository.ts';
import { PdfResultsSweep } from './pdf-results-sweep.service.ts';

/** `erp.files.results.v1` → outcomes of the PDFs of invoices. */
@Module({
  controllers: [PdfResultsConsumer],
  providers: [PdfResultsRepository, PdfResultsSweep],
  exports: [PdfResultsRepository],
})
export class PdfResultsModule {}
