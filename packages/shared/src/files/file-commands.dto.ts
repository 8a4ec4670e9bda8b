import type { Digits } from '../json/json-digits.ts';
import { MAX_FILES, MAX_IMAGES } from '../limits.ts';
import { ContentDto } from './content.dto.ts';
import { COMMAND_FIELDS } from '../fields/command-fields.ts';
import type { FileCommandName } from './file-command-content.ts';
import { Field, type FieldSpec } from '../schemas/field.decorators.ts';
import type { DecimalInput } from '../catalog/sku-record.dto.ts';

const IDENTITY = { type: 'identity', required: 'always' } as const satisfies FieldSpec;
const PATH_IDENTITY = { ...IDENTITY, inPath: true } as const satisfies FieldSpec;

/** Fields of every file command (contract, "File commands"). */
export class FileCommandDto {
  @Field(COMMAND_FIELDS.commandId) commandId!: string;
  @Field(COMMAND_FIELDS.command) command!: string;
  @Field(COMMAND_FIELDS.requestedAt) requestedAt?: string | null;
  @Field(COMMAND_FIELDS.requestedBy) requestedBy?: string | null;
  @Field(COMMAND_FIELDS.tenant) tenant?: string | null;
}

export class SkuImageDto {
  @Field({ type: 'integer', required: 'always', min: 1, about: 'Display position; 1 is the main image' })
  order!: DecimalInput;
  @Field({ type: 'record', required: 'always', of: () => ContentDto }) content!: ContentDto;
}

/** POST image/upload; all images in one ordered request. */
export class PublishSkuImagesDto extends FileCommandDto {
  @Field(PATH_IDENTITY) skuExternalReference!: string;
  @Field({ type: 'list', required: 'always', maxEntries: MAX_IMAGES, of: () => SkuImageDto }) images!: SkuImageDto[];
  @Field({ type: 'boolean', about: "The SKU's other images are removed after the upload" }) replace?: boolean | null;
}

/** DELETE image/upload. */
export class UndoImageUploadDto extends FileCommandDto {
  @Field(PATH_IDENTITY) skuExternalReference!: string;
  @Field({ ...IDENTITY, about: '`commandId` of the upload' }) undoes!: string;
}

/** GET file. */
export class ListFilesDto extends FileCommandDto {
  @Field(PATH_IDENTITY) externalReference!: string;
  @Field({ type: 'file-type', required: 'always', about: 'Kind of entity that the files belong to, by name or number' })
  fileType!: string | number;
}

/** DELETE file; `urls` or `storageIds` is given. */
export class RemoveFilesDto extends ListFilesDto {
  @Field({
    type: 'text-list',
    maxEntries: MAX_FILES,
    about: 'URLs of the files; `urls`, `storageIds` or both are required',
  })
  urls?: string[] | null;
  @Field({ type: 'text-list', maxEntries: MAX_FILES }) storageIds?: string[] | null;
}

/** DELETE delete/{entityId}. */
export class RemoveAllFilesDto extends FileCommandDto {
  @Field(PATH_IDENTITY) entityId!: string;
  @Field({ type: 'boolean', about: 'Must be true' }) confirm?: boolean | null;
}

/** GET invoice. */
export class ReadInvoiceDto extends FileCommandDto {
  @Field(COMMAND_FIELDS.orderNumber) orderNumber!: number | Digits | string;
}

/** Checks whether a PDF can be attached; sent by the order saga, not by the ERP. */
export class CheckInvoicePdfDto extends ReadInvoiceDto {
  @Field({ type: 'record', required: 'always', of: () => ContentDto }) content!: ContentDto;
  @Field({ ...IDENTITY, about: "`commandId` of the ERP's command that caused this one" }) parentCommandId!: string;
}

/** POST invoice/upload; sent by the order saga, not by the ERP. */
export class UploadInvoicePdfDto extends CheckInvoicePdfDto {
  @Field({ type: 'guid', required: 'always' }) orderId!: string;
}

interface FileCommandSpec {
  readonly dto: new () => FileCommandDto;
  readonly writer?: 'gondola';
  /** Sentence of the contract. */
  readonly about: string;
}

/** The file commands with their fields (contract, "File commands"). */
export const FILE_COMMANDS: Readonly<Record<FileCommandName, FileCommandSpec>> = {
  PublishSkuImages: {
    dto: PublishSkuImagesDto,
    about: 'Uploads the images of a SKU in their order.',
  },
  UndoImageUpload: {
    dto: UndoImageUploadDto,
    about: 'Removes what an earlier `PublishSkuImages` uploaded.',
  },
  ListFiles: {
    dto: ListFilesDto,
    about: 'Lists the files of something; the result carries them in `data`.',
  },
  RemoveFiles: {
    dto: RemoveFilesDto,
    about: 'Removes files by URL or storage id.',
  },
  RemoveAllFiles: {
    dto: RemoveAllFilesDto,
    about: 'Removes all files of something.',
  },
  ReadInvoice: {
    dto: ReadInvoiceDto,
    about: 'Reads the invoice file of an order; the result carries it in `data`.',
  },
  CheckInvoicePdf: {
    dto: CheckInvoicePdfDto,
    about: 'Asks whether a PDF can be attached. Written by order-command-handler for a command of the ERP.',
    writer: 'gondola',
  },
  UploadInvoicePdf: {
    dto: UploadInvoicePdfDto,
    about: 'Uploads the PDF of an invoice. Written by order-command-handler for a command of the ERP.',
    writer: 'gondola',
  },
};
