import {
  ListFilesDto,
  RemoveAllFilesDto,
  RemoveFilesDto,
  type FileCommandDto,
  PublishSkuImagesDto,
  UndoImageUploadDto,
  CheckInvoicePdfDto,
  ReadInvoiceDto,
  UploadInvoicePdfDto,
} from './file-commands.dto.ts';
import type { FileCommandName } from './file-command-content.ts';

/** DTO of each file command. */
export const FILE_COMMAND_DTOS = {
  PublishSkuImages: PublishSkuImagesDto,
  UndoImageUpload: UndoImageUploadDto,
  ListFiles: ListFilesDto,
  RemoveFiles: RemoveFilesDto,
  RemoveAllFiles: RemoveAllFilesDto,
  ReadInvoice: ReadInvoiceDto,
  CheckInvoicePdf: CheckInvoicePdfDto,
  UploadInvoicePdf: UploadInvoicePdfDto,
} as const satisfies Readonly<Record<FileCommandName, new () => FileCommandDto>>;
