import { contentReference, type ContentReference } from './content-reference.ts';
import { decimalTextOf } from '../json/digits.ts';
import { type FileTypeCode, fileTypeCode } from '../fields/file-types.ts';
import { orderNumberText } from '../topics/identities.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { judged } from '../fields/record-shape.ts';

export interface SkuImage {
  /** Display position; 1 is the main image. */
  readonly order: number;
  readonly content: ContentReference;
}

export interface PublishSkuImages {
  readonly command: 'PublishSkuImages';
  readonly skuExternalReference: string;
  /** Sorted by their positions, which are distinct. */
  readonly images: readonly SkuImage[];
  readonly replace: boolean;
}

export interface UndoImageUpload {
  readonly command: 'UndoImageUpload';
  readonly skuExternalReference: string;
  /** A `commandId`. */
  readonly undoes: string;
}

export interface ListFiles {
  readonly command: 'ListFiles';
  readonly externalReference: string;
  readonly fileType: FileTypeCode;
}

export interface RemoveFiles {
  readonly command: 'RemoveFiles';
  readonly externalReference: string;
  readonly fileType: FileTypeCode;
  /** At least one of the two lists has entries. */
  readonly urls: readonly string[];
  readonly storageIds: readonly string[];
}

export interface RemoveAllFiles {
  readonly command: 'RemoveAllFiles';
  readonly entityId: string;
}

export interface ReadInvoice {
  readonly command: 'ReadInvoice';
  readonly orderNumber: number;
}

export interface CheckInvoicePdf {
  readonly command: 'CheckInvoicePdf';
  readonly orderNumber: number;
  readonly content: ContentReference;
  readonly parentCommandId: string;
}

export interface UploadInvoicePdf {
  readonly command: 'UploadInvoicePdf';
  readonly orderNumber: number;
  /** The order's GUID. */
  readonly orderId: string;
  readonly content: ContentReference;
  readonly parentCommandId: string;
}

/** Content of a file command besides the fields common to all (contract, "File commands"). */
export type FileCommandContent =
  | PublishSkuImages
  | UndoImageUpload
  | ListFiles
  | RemoveFiles
  | RemoveAllFiles
  | ReadInvoice
  | CheckInvoicePdf
  | UploadInvoicePdf;

export type FileCommandName = FileCommandContent['command'];

const CONTENT_OF = {
  PublishSkuImages: (record) => ({
    command: 'PublishSkuImages',
    skuExternalReference: text(record['skuExternalReference']),
    images: imagesOf(record)
      .map(skuImage)
      .toSorted((one, other) => one.order - other.order),
    replace: record['replace'] === true,
  }),
  UndoImageUpload: (record) => ({
    command: 'UndoImageUpload',
    skuExternalReference: text(record['skuExternalReference']),
    undoes: text(record['undoes']),
  }),
  ListFiles: (record) => ({
    command: 'ListFiles',
    externalReference: text(record['externalReference']),
    fileType: judged(fileTypeCode(record['fileType'])),
  }),
  RemoveFiles: (record) => ({
    command: 'RemoveFiles',
    externalReference: text(record['externalReference']),
    fileType: judged(fileTypeCode(record['fileType'])),
    urls: texts(record['urls']),
    storageIds: texts(record['storageIds']),
  }),
  RemoveAllFiles: (record) => ({ command: 'RemoveAllFiles', entityId: text(record['entityId']) }),
  ReadInvoice: (record) => ({ command: 'ReadInvoice', orderNumber: orderNumber(record) }),
  CheckInvoicePdf: (record) => ({
    command: 'CheckInvoicePdf',
    orderNumber: orderNumber(record),
    content: judged(contentReference(record['content'])),
    parentCommandId: text(record['parentCommandId']),
  }),
  UploadInvoicePdf: (record) => ({
    command: 'UploadInvoicePdf',
    orderNumber: orderNumber(record),
    orderId: text(record['orderId']),
    content: judged(contentReference(record['content'])),
    parentCommandId: text(record['parentCommandId']),
  }),
} as const satisfies { readonly [Name in FileCommandName]: (record: JsonRecord) => FileCommandContent };

/** Content of a command whose fields were checked. */
export function fileCommandContent(command: FileCommandName, record: JsonRecord): FileCommandContent {
  return CONTENT_OF[command](record);
}

/** Entries of `images` in a `PublishSkuImages` that are objects; other entries were reported before. */
export function imagesOf({ images }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(images) ? images.filter((image: JsonValue) => isPlainRecord(image)) : [];
}

function skuImage(image: JsonRecord): SkuImage {
  return { order: Number(decimalTextOf(image['order'])), content: judged(contentReference(image['content'])) };
}

function orderNumber(record: JsonRecord): number {
  return Number(judged(orderNumberText(record['orderNumber'])));
}

function text(value: JsonValue | undefined): string {
  return judged(typeof value === 'string' ? value : null);
}

function texts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item: JsonValue) => text(item)) : [];
}
