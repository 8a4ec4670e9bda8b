import { Module } from '@nestjs/common';
import { ContentsModule } from '../contents/contents.module.ts';
import { FetchingModule } from '../fetching/fetching.module.ts';
import { NotificationsModule } from '../notifications/notifications.module.ts';
import { PlatformModule } from '../platform/platform.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { CheckInvoicePdf } from './check-invoice-pdf.service.ts';
import { InvoiceFilesRepository } from './invoice-files.repository.ts';
import { ReadInvoice } from './read-invoice.service.ts';
import { UploadInvoicePdf } from './upload-invoice-pdf.service.ts';

const PROVIDED = [InvoiceFilesRepository, CheckInvoicePdf, UploadInvoicePdf, ReadInvoice];

/** `CheckInvoicePdf`, `UploadInvoicePdf`, `ReadInvoice` */
@Module({
  imports: [ContentsModule, FetchingModule, NotificationsModule, PlatformModule, UploadsModule],
  providers: PROVIDED,
  exports: PROVIDED,
})
export class InvoicesModule {}
