import type {
  InvoiceFile,
  MutationAnswer,
  ReadAnswer as ClientAnswer,
  Refused,
  Unavailable,
} from '@gondola/platform-client/answers';
import {
  type FileContent,
  type ImageUpload,
  type PlacedImage,
  uploadImagesSize,
} from '@gondola/platform-client/multipart';
import { PlatformClientError } from '@gondola/platform-client/platform-client-error';
import { PlatformClients } from '@gondola/service-kit/platform/platform-clients';
import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import { FILE_TYPES, type FileTypeCode } from '@gondola/shared/fields/file-types';
import type { MediaType } from '@gondola/shared/files/media-types';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { isPlainRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import type { RequestSizes } from './split-images.ts';
import type { HeldImage, HeldUpload } from '../uploads/held-content.ts';
import { UploadsRepository } from '../uploads/uploads.repository.ts';

/** Owner and type of files. */
export interface FilesOf {
  readonly externalReference: string;
  readonly fileType: FileTypeCode;
}

export interface CallOptions {
  readonly tenant: string;
  readonly traceparent: string;
  /** Aborted: no further call may be made. */
  readonly signal: AbortSignal;
}

/** The platform's answer to a change, or the lack of one. */
export type ChangeAnswer = Exclude<AttemptAnswer, { kind: 'pending' }> | Unavailable;

export type ReadAnswer<T> = { readonly kind: 'read'; readonly value: T } | Refused | Unavailable;

/** The content could not be read from the database; the platform received no whole request. */
export const NOT_READABLE: Unavailable = { kind: 'unavailable', cause: 'content-not-readable', retryAfterMs: 5_000 };

const EXTENSIONS: Readonly<Record<MediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
};
const HASH_DIGITS = 12;
const MAX_REFERENCE = 60;

/** The platform's storage routes. Content is read from the uploads while it is sent. */
@Injectable()
export class PlatformAdapter {
  constructor(
    @Inject(PlatformClients) private readonly clients: Pick<PlatformClients, 'of'>,
    @Inject(UploadsRepository) private readonly uploads: Pick<UploadsRepository, 'chunks'>,
  ) {}

  /** Addresses of a SKU's images; empty for a SKU without files. */
  async listImages(externalReference: string, options: CallOptions): Promise<ReadAnswer<readonly string[]>> {
    return this.listFiles({ externalReference, fileType: FILE_TYPES.SKU }, options);
  }

  /** Addresses of files; empty for an unknown owner. */
  async listFiles(
    { externalReference, fileType }: FilesOf,
    options: CallOptions,
  ): Promise<ReadAnswer<readonly string[]>> {
    const client = this.clients.of(options.tenant);
    return readAnswer(await client.listFiles(externalReference, fileType, options), []);
  }

  async removeFiles(
    files: FilesOf & { readonly urls: readonly string[]; readonly storageIds: readonly string[] },
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const client = this.clients.of(options.tenant);
    return changeAnswer(() => client.removeFiles(files.externalReference, files, options));
  }

  async removeAllFiles(entityId: string, options: CallOptions): Promise<ChangeAnswer> {
    const client = this.clients.of(options.tenant);
    return changeAnswer(() => client.removeAllFiles(entityId, options));
  }

  /** Sends images in one ordered request. */
  async uploadImages(
    skuExternalReference: string,
    images: readonly HeldImage[],
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const uploads = images.map((image) => this.#imageUpload(skuExternalReference, image));
    const client = this.clients.of(options.tenant);
    return changeAnswer(() => client.uploadImages(skuExternalReference, uploads, options));
  }

  /** Links images that SFTP placed, in one ordered request. */
  async linkImages(
    skuExternalReference: string,
    images: readonly PlacedImage[],
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const client = this.clients.of(options.tenant);
    return changeAnswer(() => client.linkImages(skuExternalReference, images, options));
  }

  /** Sends the same request again, which undoes it. */
  async undoImages(
    skuExternalReference: string,
    images: readonly HeldImage[],
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const uploads = images.map((image) => this.#imageUpload(skuExternalReference, image));
    const client = this.clients.of(options.tenant);
    return changeAnswer(() => client.undoImages(skuExternalReference, uploads, options));
  }

  /** Sizes for splitting a SKU's images into requests. */
  requestSizes(skuExternalReference: string, { requestMaxBytes: limit }: Config['images']): RequestSizes<HeldImage> {
    const empty = this.sizeOfImages(skuExternalReference, []);
    const of = (image: HeldImage) => this.sizeOfImages(skuExternalReference, [image]) - empty;
    return { limit, empty, of };
  }

  /** Length of that request in bytes: an empty form plus the bytes of each image. */
  sizeOfImages(skuExternalReference: string, images: readonly HeldImage[]): number {
    return uploadImagesSize(images.map((image) => this.#imageUpload(skuExternalReference, image)));
  }

  /** Null: the order has no file, or is not known. */
  async findInvoice(orderId: string, options: CallOptions): Promise<ReadAnswer<InvoiceFile | null>> {
    const client = this.clients.of(options.tenant);
    return readAnswer<InvoiceFile | null>(await client.getInvoice(orderId, options), null);
  }

  async uploadInvoice(
    { orderId, orderNumber }: { readonly orderId: string; readonly orderNumber: number },
    pdf: HeldUpload,
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const file = { content: this.#contentOf(pdf), fileName: invoiceFileName(orderNumber) };
    const client = this.clients.of(options.tenant);
    return changeAnswer(() => client.uploadInvoicePdf(orderId, file, options));
  }

  /**
   * GUID of an order by its number; null if the platform does not know the order or it is not paid yet (rule 17).
   */
  async findOrderId(orderNumber: number, options: CallOptions): Promise<ReadAnswer<string | null>> {
    const client = this.clients.of(options.tenant);
    const answer = readAnswer<string | null>(await client.getWebhookPayload(String(orderNumber), options), null);
    if (answer.kind !== 'read' || answer.value === null) return answer;
    const payload = tryParseWithDigits(answer.value);
    const id = isPlainRecord(payload) ? payload['id'] : null;
    return { kind: 'read', value: isIdentityText(id) ? id : null };
  }

  #imageUpload(skuExternalReference: string, image: HeldImage): ImageUpload {
    const { mediaType, order } = image;
    const fileName = imageFileName(skuExternalReference, image);
    return { content: this.#contentOf(image), fileName, mediaType, order };
  }

  #contentOf({ uploadId, size }: HeldUpload): FileContent {
    return { size, stream: () => this.uploads.chunks(uploadId) };
  }
}

async function changeAnswer(call: () => Promise<MutationAnswer>): Promise<ChangeAnswer> {
  try {
    const answer = await call();
    return answer.kind === 'unknown' ? { kind: 'unknown', cause: answer.cause } : answer;
  } catch (error) {
    if (error instanceof PlatformClientError && error.code === 'CONTENT_NOT_READABLE') return NOT_READABLE;
    throw error;
  }
}

function readAnswer<T>(answer: ClientAnswer<T>, absent: T): ReadAnswer<T> {
  if (answer.kind === 'found') return { kind: 'read', value: answer.value };
  return answer.kind === 'not-found' ? { kind: 'read', value: absent } : answer;
}

/**
 * Name under which an image is sent. It depends on SKU, position and content, so that no image takes another's
 * address, whatever the platform derives from names.
 */
function imageFileName(skuExternalReference: string, { order, sha256, mediaType }: HeldImage): string {
  const reference = skuExternalReference.replaceAll(/[^\w.-]+/g, '-').slice(0, MAX_REFERENCE);
  return `${reference}_${order}_${sha256.slice(0, HASH_DIGITS)}.${EXTENSIONS[mediaType]}`;
}

function invoiceFileName(orderNumber: number): string {
  return `${orderNumber}.${EXTENSIONS['application/pdf']}`;
}
