import type { FieldTable } from '../field-spec.ts';
import type { Digits } from '../json-digits.ts';
import type { ContentDto } from './content.dto.ts';
import { FromTable } from './field.decorators.ts';
import { FILE_COMMAND_FIELDS, FileCommandDto } from './file-command.dto.ts';

export const READ_INVOICE_FIELDS = {
  ...FILE_COMMAND_FIELDS,
  orderNumber: { type: 'order-number', required: 'always' },
} as const satisfies FieldTable;

export const UPLOAD_INVOICE_PDF_FIELDS = {
  ...READ_INVOICE_FIELDS,
  orderId: { type: 'guid', required: 'always' },
  content: { type: 'record', required: 'always' },
  parentCommandId: { type: 'identity', required: 'always' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(UPLOAD_INVOICE_PDF_FIELDS);

/** GET invoice. */
export class ReadInvoiceDto extends FileCommandDto {
  @FromTable(READ_INVOICE_FIELDS) orderNumber!: number | Digits | string;
}

/** POST invoice/upload; sent by the order saga, not by the ERP. */
export class UploadInvoicePdfDto extends ReadInvoiceDto {
  @Field() orderId!: string;
  @Field() content!: ContentDto;
  @Field() parentCommandId!: string;
}
