import type { Digits } from '../json/json-digits.ts';
import { MAX_FILES, MAX_IMAGES } from '../limits.ts';
import type { ContentDto } from './content.dto.ts';
import type { DecimalInput } from './sku-record.dto.ts';
import type { FieldTable } from '../fields/field-spec.ts';
import { FromTable } from './field.decorators.ts';

/** The fields of every file command (contract, "File commands"). */
export const FILE_COMMAND_FIELDS = {
  commandId: { type: 'identity', required: 'always' },
  command: { type: 'text', required: 'always' },
  requestedAt: { type: 'time' },
  requestedBy: { type: 'text' },
  tenant: { type: 'text' },
} as const satisfies FieldTable;

const CommandField = (): PropertyDecorator => FromTable(FILE_COMMAND_FIELDS);

export class FileCommandDto {
  @CommandField() commandId!: string;
  @CommandField() command!: string;
  /** With an offset; no part of what makes two commands equal. */
  @CommandField() requestedAt?: string | null;
  @CommandField() requestedBy?: string | null;
  @CommandField() tenant?: string | null;
}

export const PUBLISH_SKU_IMAGES_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  skuExternalReference: { type: 'identity', required: 'always', inPath: true },
  images: { type: 'list', required: 'always', maxEntries: MAX_IMAGES },
  replace: { type: 'boolean' },
} as const satisfies FieldTable;

export const SKU_IMAGE_FIELDS = {
  order: { type: 'integer', required: 'always', min: 1 },
  content: { type: 'record', required: 'always' },
} as const satisfies FieldTable;

export const UNDO_IMAGE_UPLOAD_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  skuExternalReference: { type: 'identity', required: 'always', inPath: true },
  undoes: { type: 'identity', required: 'always' },
} as const satisfies FieldTable;

const PublishField = (): PropertyDecorator => FromTable(PUBLISH_SKU_IMAGES_FIELDS);
const ImageField = (): PropertyDecorator => FromTable(SKU_IMAGE_FIELDS);
const UndoField = (): PropertyDecorator => FromTable(UNDO_IMAGE_UPLOAD_FIELDS);

export class SkuImageDto {
  /** Where it is shown; 1 is the main image. */
  @ImageField() order!: DecimalInput;
  @ImageField() content!: ContentDto;
}

/** POST image/upload, the images in one ordered request. */
export class PublishSkuImagesDto extends FileCommandDto {
  @PublishField() skuExternalReference!: string;
  @PublishField() images!: SkuImageDto[];
  /** The SKU's other images are removed after the upload. */
  @PublishField() replace?: boolean | null;
}

/** DELETE image/upload. */
export class UndoImageUploadDto extends FileCommandDto {
  @UndoField() skuExternalReference!: string;
  /** `commandId` of the upload. */
  @UndoField() undoes!: string;
}

export const LIST_FILES_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  externalReference: { type: 'identity', required: 'always', inPath: true },
  fileType: { type: 'file-type', required: 'always' },
} as const satisfies FieldTable;

export const REMOVE_FILES_FIELDS = {
  ...LIST_FILES_FIELDS,
  urls: { type: 'text-list', maxEntries: MAX_FILES },
  storageIds: { type: 'text-list', maxEntries: MAX_FILES },
} as const satisfies FieldTable;

export const REMOVE_ALL_FILES_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  entityId: { type: 'identity', required: 'always', inPath: true },
  confirm: { type: 'boolean' },
} as const satisfies FieldTable;

const ListField = (): PropertyDecorator => FromTable(LIST_FILES_FIELDS);
const RemoveField = (): PropertyDecorator => FromTable(REMOVE_FILES_FIELDS);
const RemoveAllField = (): PropertyDecorator => FromTable(REMOVE_ALL_FILES_FIELDS);

/** GET file. */
export class ListFilesDto extends FileCommandDto {
  @ListField() externalReference!: string;
  /** A name or a number of the platform's document. */
  @ListField() fileType!: string | number;
}

/** DELETE file; one of `urls` and `storageIds` is given. */
export class RemoveFilesDto extends ListFilesDto {
  @RemoveField() urls?: string[] | null;
  @RemoveField() storageIds?: string[] | null;
}

/** DELETE delete/{entityId}. */
export class RemoveAllFilesDto extends FileCommandDto {
  @RemoveAllField() entityId!: string;
  /** Must be true. */
  @RemoveAllField() confirm?: boolean | null;
}

export const READ_INVOICE_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  orderNumber: { type: 'order-number', required: 'always' },
} as const satisfies FieldTable;

export const CHECK_INVOICE_PDF_FIELDS = {
  ...READ_INVOICE_FIELDS,
  content: { type: 'record', required: 'always' },
  parentCommandId: { type: 'identity', required: 'always' },
} as const satisfies FieldTable;

export const UPLOAD_INVOICE_PDF_FIELDS = {
  ...CHECK_INVOICE_PDF_FIELDS,
  orderId: { type: 'guid', required: 'always' },
} as const satisfies FieldTable;

const InvoiceField = (): PropertyDecorator => FromTable(UPLOAD_INVOICE_PDF_FIELDS);

/** GET invoice. */
export class ReadInvoiceDto extends FileCommandDto {
  @FromTable(READ_INVOICE_FIELDS) orderNumber!: number | Digits | string;
}

/** Whether a PDF can be attached; sent by the order saga, not by the ERP. */
export class CheckInvoicePdfDto extends ReadInvoiceDto {
  @InvoiceField() content!: ContentDto;
  @InvoiceField() parentCommandId!: string;
}

/** POST invoice/upload; sent by the order saga, not by the ERP. */
export class UploadInvoicePdfDto extends CheckInvoicePdfDto {
  @InvoiceField() orderId!: string;
}
