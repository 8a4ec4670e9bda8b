import { Injectable } from '@nestjs/common';
import type { FileWork } from '../commands/file-command.ts';
import { ListFiles } from '../files/list-files.service.ts';
import { RemoveAllFiles } from '../files/remove-all-files.service.ts';
import { RemoveFiles } from '../files/remove-files.service.ts';
import { UndoImages } from '../files/undo-images.service.ts';
import { PublishSkuImages } from '../images/publish-images.service.ts';
import { CheckInvoicePdf } from '../invoices/check-invoice-pdf.service.ts';
import { ReadInvoice } from '../invoices/read-invoice.service.ts';
import { UploadInvoicePdf } from '../invoices/upload-invoice-pdf.service.ts';
import type { FileStep, LaneWork } from '../commands/file-step.ts';
import { EndUnreadable } from './end-unreadable.service.ts';

/** Maps each command to its service. A missing command does not compile. */
@Injectable()
export class FileSteps {
  constructor(
    private readonly publishImages: PublishSkuImages,
    private readonly undoImages: UndoImages,
    private readonly listFiles: ListFiles,
    private readonly removeFiles: RemoveFiles,
    private readonly removeAllFiles: RemoveAllFiles,
    private readonly checkPdf: CheckInvoicePdf,
    private readonly uploadPdf: UploadInvoicePdf,
    private readonly readInvoice: ReadInvoice,
    private readonly unreadable: EndUnreadable,
  ) {}

  async step(work: LaneWork, asked: FileWork): Promise<FileStep> {
    if (asked.kind === 'publish-images') return this.publishImages.step(work, asked);
    if (asked.kind === 'undo-images') return this.undoImages.step(work, asked);
    if (asked.kind === 'list-files') return this.listFiles.step(work, asked);
    if (asked.kind === 'remove-files') return this.removeFiles.step(work, asked);
    if (asked.kind === 'remove-all-files') return this.removeAllFiles.step(work, asked);
    if (asked.kind === 'check-pdf') return this.checkPdf.step(work, asked);
    if (asked.kind === 'upload-pdf') return this.uploadPdf.step(work, asked);
    if (asked.kind === 'read-invoice') return this.readInvoice.step(work, asked);
    return this.unreadable.step(work, asked.errors);
  }
}
