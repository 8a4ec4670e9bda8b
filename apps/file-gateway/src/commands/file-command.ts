import { parseCommand } from '@gondola/shared/commands/command-identity';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import { decimalTextOf } from '@gondola/shared/json/digits';
import type { FileTypeCode } from '@gondola/shared/fields/file-types';
import { readFileCommand } from '@gondola/shared/files/file-command';
import { imagesOf, type PublishSkuImages } from '@gondola/shared/files/file-command-content';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FieldReason, Language } from '@gondola/shared/outcomes/reason-codes';

/** Content that a command names. */
export interface WantedContent {
  readonly source: ContentReference;
  /** Position in the command, for reasons. */
  readonly field: string;
}

/** An image and its position; 1 is the main image. */
interface WantedImage extends WantedContent {
  readonly order: number;
}

export interface PublishImages {
  readonly kind: 'publish-images';
  readonly skuExternalReference: string;
  /** Sorted by their distinct positions. */
  readonly images: readonly WantedImage[];
  /** The SKU's other images are removed after the upload. */
  readonly replace: boolean;
}

export interface UploadPdf {
  readonly kind: 'upload-pdf';
  readonly orderNumber: number;
  /** The order's GUID. */
  readonly orderId: string;
  readonly pdf: WantedContent;
  readonly parentCommandId: string;
}

export interface CheckPdf {
  readonly kind: 'check-pdf';
  readonly pdf: WantedContent;
  readonly parentCommandId: string;
}

export interface ReadInvoiceFile {
  readonly kind: 'read-invoice';
  readonly orderNumber: number;
}

export interface UndoImages {
  readonly kind: 'undo-images';
  readonly skuExternalReference: string;
  /** A `commandId`. */
  readonly undoes: string;
}

export interface ListFilesOf {
  readonly kind: 'list-files';
  readonly externalReference: string;
  readonly fileType: FileTypeCode;
}

export interface RemoveFilesOf {
  readonly kind: 'remove-files';
  readonly externalReference: string;
  readonly fileType: FileTypeCode;
  readonly urls: readonly string[];
  readonly storageIds: readonly string[];
}

export interface RemoveAllFilesOf {
  readonly kind: 'remove-all-files';
  readonly entityId: string;
}

/** Invalid by Gondola's own rules; the first error is the reason. */
interface InvalidCommand {
  readonly kind: 'invalid';
  readonly errors: readonly FieldReason[];
}

/** A command after validation (contract, "File commands"). */
export type FileWork =
  | PublishImages
  | UndoImages
  | ListFilesOf
  | RemoveFilesOf
  | RemoveAllFilesOf
  | UploadPdf
  | CheckPdf
  | ReadInvoiceFile
  | InvalidCommand;

/** Validates a command whose identity was readable. */
export function readFileWork(value: Uint8Array | null, language: Language): FileWork {
  const record = parseCommand(value) ?? {};
  const reading = readFileCommand(record, language);
  if (!reading.ok) return invalid(reading.errors);
  const { command } = reading;
  if (command.command === 'PublishSkuImages') return publishImages(command, record);
  if (command.command === 'UndoImageUpload') return { ...command, kind: 'undo-images' };
  if (command.command === 'ListFiles') return { ...command, kind: 'list-files' };
  if (command.command === 'RemoveFiles') return { ...command, kind: 'remove-files' };
  if (command.command === 'RemoveAllFiles') return { ...command, kind: 'remove-all-files' };
  if (command.command === 'ReadInvoice') return { kind: 'read-invoice', orderNumber: command.orderNumber };
  if (command.command === 'CheckInvoicePdf') {
    const { content, parentCommandId } = command;
    return { kind: 'check-pdf', pdf: wanted(content, 'content'), parentCommandId };
  }
  const { orderNumber, orderId, content, parentCommandId } = command;
  return { kind: 'upload-pdf', orderNumber, orderId, pdf: wanted(content, 'content'), parentCommandId };
}

function publishImages(command: PublishSkuImages, record: JsonRecord): FileWork {
  const { skuExternalReference, replace } = command;
  const given = imagesOf(record).map(({ order }) => Number(decimalTextOf(order)));
  const images = command.images.map(({ order, content }) => ({
    order,
    ...wanted(content, `images[${given.indexOf(order)}].content`),
  }));
  return { kind: 'publish-images', skuExternalReference, images, replace };
}

function wanted(source: ContentReference, field: string): WantedContent {
  const [kind = ''] = Object.keys(source);
  return { source, field: `${field}.${kind}` };
}

function invalid(errors: readonly FieldReason[]): FileWork {
  return { kind: 'invalid', errors };
}
