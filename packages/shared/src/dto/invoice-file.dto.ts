import type { FieldTable } from '../fields/field-spec.ts';
import type { Digits } from '../json/json-digits.ts';
import type { ContentDto } from './content.dto.ts';
import { FromTable } from './field.decorators.ts';
import { FILE_COMMAND_FIELDS, FileCommandDto } from './file-command.dto.ts';

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

const Field = (): PropertyDecorator => FromTable(UPLOAD_INVOICE_PDF_FIELDS);

/** GET invoice. */
export class ReadInvoiceDto extends FileCommandDto {
  @FromTable(READ_INVOICE_FIELDS) orderNumber!: number | Digits | string;
}

/** Whether a PDF can be attached; sent by the order saga, not by the ERP. */
export class CheckInvoicePdfDto extends ReadInvoiceDto {
  @Field() content!: ContentDto;
  @Field() parentCommandId!: string;
}

/** POST invoice/upload; sent by the order saga, not by the ERP. */
export class UploadInvoicePdfDto extends CheckInvoicePdfDto {
  @Field() orderId!: string;
}
