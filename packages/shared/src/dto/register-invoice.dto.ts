import type { ContentDto } from './content.dto.ts';
import { Field } from './field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';
import type { DecimalInput } from './sku-record.dto.ts';

/** PUT invoiced, POST invoice/upload, GET status, PATCH if needed. */
export class RegisterInvoiceDto extends OrderCommandDto {
  @Field({ type: 'code', required: 'always' }) number!: DecimalInput;
  /** With an offset; sent in UTC. */
  @Field({ type: 'time', required: 'always' }) issuedAt!: string;
  /** In currency units, with at most two decimals that say something; sent as cents. */
  @Field({ type: 'money', required: 'always', min: 0 }) value!: DecimalInput;
  @Field({ type: 'record' }) pdf?: ContentDto | null;
  @Field({ type: 'code' }) series?: DecimalInput | null;
  @Field({ type: 'code' }) model?: DecimalInput | null;
  /** Stored and checked, not sent. */
  @Field({ type: 'access-key' }) accessKey?: string | null;
}

export class AttachInvoicePdfDto extends OrderCommandDto {
  @Field({ type: 'record', required: 'always' }) pdf!: ContentDto;
}
