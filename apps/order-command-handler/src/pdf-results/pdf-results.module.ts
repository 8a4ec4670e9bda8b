import { CommandSweep } from '@gondola/messaging/commands/command-sweep';
import { Module, type OnModuleInit } from '@nestjs/common';
import { PdfResultsConsumer } from './pdf-results.consumer.ts';
import { PdfResultsRepository } from './pdf-results.repository.ts';

/**
 * `erp.files.results.v1` → outcomes of the PDFs of invoices. They are deleted before the commands that they belong to:
 * a command whose id is used again after that finds none.
 */
@Module({ controllers: [PdfResultsConsumer], providers: [PdfResultsRepository], exports: [PdfResultsRepository] })
export class PdfResultsModule implements OnModuleInit {
  constructor(
    private readonly sweep: CommandSweep,
    private readonly results: PdfResultsRepository,
  ) {}

  onModuleInit(): void {
    this.sweep.beforehand((before) => this.results.deleteBefore(before));
  }
}
