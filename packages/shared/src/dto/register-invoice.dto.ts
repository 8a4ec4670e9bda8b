import type { FieldTable } from '../fields/field-spec.ts';
import type { ContentDto } from './content.dto.ts';
import { FromTable } from './field.decorators.ts';
import { ORDER_COMMAND_FIELDS, OrderCommandDto } from './order-command.dto.ts';
import type { DecimalInput } from './sku-record.dto.ts';

export const REGISTER_INVOICE_FIELDS = {
  ...ORDER_COMMAND_FIELDS,
  number: { type: 'code', required: 'always' },
  issuedAt: { type: 'time', required: 'always' },
  value: { type: 'money', required: 'always', min: 0 },
  pdf: { type: 'record' },
  series: { type: 'code' },
  model: { type: 'code' },
  accessKey: { type: 'access-key' },
} as const satisfies FieldTable;

export const ATTACH_INVOICE_PDF_FIELDS = {
  ...ORDER_COMMAND_FIELDS,
  pdf: { type: 'record', required: 'always' },
} as const satisfies FieldTable;

const Field = (): PropertyDecorator => FromTable(REGISTER_INVOICE_FIELDS);

/** PUT invoiced, POST invoice/upload, GET status, PATCH if needed. */
export class RegisterInvoiceDto extends OrderCommandDto {
  @Field() number!: DecimalInput;
  /** With an offset; sent in UTC. */
  @Field() issuedAt!: string;
  /** In currency units, with at most two decimals that say something; sent as cents. */
  @Field() value!: DecimalInput;
  @Field() pdf?: ContentDto | null;
  @Field() series?: DecimalInput | null;
  @Field() model?: DecimalInput | null;
  /** Stored and checked, not sent. */
  @Field() accessKey?: string | null;
}

export class AttachInvoicePdfDto extends OrderCommandDto {
  @FromTable(ATTACH_INVOICE_PDF_FIELDS) pdf!: ContentDto;
}
