import type { CallAnswer } from '@gondola/lanes/commands/attempts';
import type {
  CallContext,
  InvoiceFile,
  MutationAnswer,
  ReadAnswer,
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

export interface CallOptions extends Pick<CallContext, 'askedBy'> {
  readonly tenant: string;
  readonly traceparent: string;
  /** Aborted: no further call may be made. */
  readonly signal: AbortSignal;
}

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

  /** Addresses of a SKU's images. */
  async listImages(externalReference: string, options: CallOptions): Promise<ReadAnswer<readonly string[]>> {
    return this.listFiles({ externalReference, fileType: FILE_TYPES.SKU }, options);
  }

  /** Addresses of files. */
  async listFiles(
    { externalReference, fileType }: FilesOf,
    options: CallOptions,
  ): Promise<ReadAnswer<readonly string[]>> {
    return this.clients.of(options.tenant).listFiles(externalReference, fileType, options);
  }

  async removeFiles(
    files: FilesOf & { readonly urls: readonly string[]; readonly storageIds: readonly string[] },
    options: CallOptions,
  ): Promise<MutationAnswer> {
    return this.clients.of(options.tenant).removeFiles(files.externalReference, files, options);
  }

  async removeAllFiles(entityId: string, options: CallOptions): Promise<MutationAnswer> {
    return this.clients.of(options.tenant).removeAllFiles(entityId, options);
  }

  /** Sends images in one ordered request. */
  async uploadImages(
    skuExternalReference: string,
    images: readonly HeldImage[],
    options: CallOptions,
  ): Promise<CallAnswer> {
    const uploads = images.map((image) => this.#imageUpload(skuExternalReference, image));
    const client = this.clients.of(options.tenant);
    return uploadAnswer(() => client.uploadImages(skuExternalReference, uploads, options));
  }

  /** Links images that SFTP placed, in one ordered request. */
  async linkImages(
    skuExternalReference: string,
    images: readonly PlacedImage[],
    options: CallOptions,
  ): Promise<MutationAnswer> {
    return this.clients.of(options.tenant).linkImages(skuExternalReference, images, options);
  }

  /** Sends the same request again, which undoes it. */
  async undoImages(
    skuExternalReference: string,
    images: readonly HeldImage[],
    options: CallOptions,
  ): Promise<CallAnswer> {
    const uploads = images.map((image) => this.#imageUpload(skuExternalReference, image));
    const client = this.clients.of(options.tenant);
    return uploadAnswer(() => client.undoImages(skuExternalReference, uploads, options));
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

  /** `not-found`: the order has no file, or is not known. */
  async findInvoice(orderId: string, options: CallOptions): Promise<ReadAnswer<InvoiceFile>> {
    return this.clients.of(options.tenant).getInvoice(orderId, options);
  }

  async uploadInvoice(
    { orderId, orderNumber }: { readonly orderId: string; readonly orderNumber: number },
    pdf: HeldUpload,
    options: CallOptions,
  ): Promise<CallAnswer> {
    const file = { content: this.#contentOf(pdf), fileName: invoiceFileName(orderNumber) };
    const client = this.clients.of(options.tenant);
    return uploadAnswer(() => client.uploadInvoicePdf(orderId, file, options));
  }

  /**
   * GUID of an order by its number; `not-found`: the platform does not know the order, or it is not paid yet (rule
   * 17).
   */
  async findOrderId(orderNumber: number, options: CallOptions): Promise<ReadAnswer<string>> {
    const answer = await this.clients.of(options.tenant).getWebhookPayload(String(orderNumber), options);
    if (answer.kind !== 'found') return answer;
    const payload = tryParseWithDigits(answer.value);
    const id = isPlainRecord(payload) ? payload['id'] : null;
    return isIdentityText(id) ? { kind: 'found', value: id } : { kind: 'not-found' };
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

/** Answer to a call that sends content of uploads. */
async function uploadAnswer(call: () => Promise<MutationAnswer>): Promise<CallAnswer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PlatformClientError && error.code === 'CONTENT_NOT_READABLE') return NOT_READABLE;
    throw error;
  }
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
