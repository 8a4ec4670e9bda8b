import { Module } from '@nestjs/common';
import { ContentsModule } from '../contents/contents.module.ts';
import { FetchingModule } from '../fetching/fetching.module.ts';
import { TurnsModule } from '../turns/turns.module.ts';
import { CheckInvoicePdf } from './check-invoice-pdf.service.ts';
import { InvoiceFilesRepository } from './invoice-files.repository.ts';
import { ReadInvoice } from './read-invoice.service.ts';
import { UploadInvoicePdf } from './upload-invoice-pdf.service.ts';

const PROVIDED = [InvoiceFilesRepository, CheckInvoicePdf, UploadInvoicePdf, ReadInvoice];

/** `CheckInvoicePdf`, `UploadInvoicePdf`, `ReadInvoice` */
@Module({
  imports: [ContentsModule, FetchingModule, TurnsModule],
  providers: PROVIDED,
  exports: PROVIDED,
})
export class InvoicesModule {}
