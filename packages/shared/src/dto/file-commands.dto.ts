import type { FieldSpec } from '../fields/field-spec.ts';
import type { Digits } from '../json/json-digits.ts';
import { MAX_FILES, MAX_IMAGES } from '../limits.ts';
import type { ContentDto } from './content.dto.ts';
import { Field } from './field.decorators.ts';
import type { DecimalInput } from './sku-record.dto.ts';

const IDENTITY = { type: 'identity', required: 'always' } as const satisfies FieldSpec;
const PATH_IDENTITY = { ...IDENTITY, inPath: true } as const satisfies FieldSpec;

/** The fields of every file command (contract, "File commands"). */
export class FileCommandDto {
  @Field(IDENTITY) commandId!: string;
  @Field({ type: 'text', required: 'always' }) command!: string;
  /** With an offset; no part of what makes two commands equal. */
  @Field({ type: 'time' }) requestedAt?: string | null;
  @Field({ type: 'text' }) requestedBy?: string | null;
  @Field({ type: 'text' }) tenant?: string | null;
}

export class SkuImageDto {
  /** Where it is shown; 1 is the main image. */
  @Field({ type: 'integer', required: 'always', min: 1 }) order!: DecimalInput;
  @Field({ type: 'record', required: 'always' }) content!: ContentDto;
}

/** POST image/upload, the images in one ordered request. */
export class PublishSkuImagesDto extends FileCommandDto {
  @Field(PATH_IDENTITY) skuExternalReference!: string;
  @Field({ type: 'list', required: 'always', maxEntries: MAX_IMAGES }) images!: SkuImageDto[];
  /** The SKU's other images are removed after the upload. */
  @Field({ type: 'boolean' }) replace?: boolean | null;
}

/** DELETE image/upload. */
export class UndoImageUploadDto extends FileCommandDto {
  @Field(PATH_IDENTITY) skuExternalReference!: string;
  /** `commandId` of the upload. */
  @Field(IDENTITY) undoes!: string;
}

/** GET file. */
export class ListFilesDto extends FileCommandDto {
  @Field(PATH_IDENTITY) externalReference!: string;
  /** A name or a number of the platform's document. */
  @Field({ type: 'file-type', required: 'always' }) fileType!: string | number;
}

/** DELETE file; one of `urls` and `storageIds` is given. */
export class RemoveFilesDto extends ListFilesDto {
  @Field({ type: 'text-list', maxEntries: MAX_FILES }) urls?: string[] | null;
  @Field({ type: 'text-list', maxEntries: MAX_FILES }) storageIds?: string[] | null;
}

/** DELETE delete/{entityId}. */
export class RemoveAllFilesDto extends FileCommandDto {
  @Field(PATH_IDENTITY) entityId!: string;
  /** Must be true. */
  @Field({ type: 'boolean' }) confirm?: boolean | null;
}

/** GET invoice. */
export class ReadInvoiceDto extends FileCommandDto {
  @Field({ type: 'order-number', required: 'always' }) orderNumber!: number | Digits | string;
}

/** Whether a PDF can be attached; sent by the order saga, not by the ERP. */
export class CheckInvoicePdfDto extends ReadInvoiceDto {
  @Field({ type: 'record', required: 'always' }) content!: ContentDto;
  @Field(IDENTITY) parentCommandId!: string;
}

/** POST invoice/upload; sent by the order saga, not by the ERP. */
export class UploadInvoicePdfDto extends CheckInvoicePdfDto {
  @Field({ type: 'guid', required: 'always' }) orderId!: string;
}
