import { ContentDto } from '../files/content.dto.ts';
import { Field } from '../schemas/field.decorators.ts';
import { OrderCommandDto } from './order-command.dto.ts';
import type { DecimalInput } from '../catalog/sku-record.dto.ts';

/** PUT invoiced, POST invoice/upload, GET status, PATCH if necessary. */
export class RegisterInvoiceDto extends OrderCommandDto {
  @Field({ type: 'code', required: 'always' }) number!: DecimalInput;
  @Field({ type: 'time', required: 'always' }) issuedAt!: string;
  @Field({
    type: 'money',
    required: 'always',
    min: 0,
    about: "In currency units; equals the order's final price",
  })
  value!: DecimalInput;
  @Field({ type: 'record', of: () => ContentDto, about: 'The DANFE, not the XML of the NF-e' }) pdf?: ContentDto | null;
  @Field({ type: 'code' }) series?: DecimalInput | null;
  @Field({ type: 'code' }) model?: DecimalInput | null;
  @Field({ type: 'access-key', about: 'Access key of the NF-e; stored and checked, but not sent' }) accessKey?:
    | string
    | null;
}

export class AttachInvoicePdfDto extends OrderCommandDto {
  @Field({ type: 'record', required: 'always', of: () => ContentDto }) pdf!: ContentDto;
}
