import type { MutationAnswer, ReadAnswer as ClientAnswer } from '@gondola/platform-client/answers';
import type { FileContent } from '@gondola/platform-client/multipart';
import { type ImageUpload, uploadImagesSize } from '@gondola/platform-client/image-upload';
import type { PlatformClient } from '@gondola/platform-client/platform-client';
import { PlatformClientError } from '@gondola/platform-client/platform-client-error';
import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import { FILE_TYPES } from '@gondola/shared/files/file-types';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { isPlainRecord, type JsonValue, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { imageFileName, invoiceFileName } from './file-names.ts';
import type { HeldImage, HeldUpload } from '../uploads/held-content.ts';
import type { UploadsRepository } from '../uploads/uploads.repository.ts';

export interface CallOptions {
  readonly traceparent: string;
  /** Aborted: nothing may be sent any more. */
  readonly signal: AbortSignal;
}

/** Nothing can have reached the platform's queue, or nothing was learnt; a call may go through after `retryAfterMs`. */
export interface NotDone {
  readonly kind: 'unavailable';
  readonly cause: string;
  readonly retryAfterMs: number;
}

/** The platform's no. */
interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  readonly message: string;
}

/** The platform's answer to a change, or that there was none. */
export type ChangeAnswer = Exclude<AttemptAnswer, { kind: 'pending' }> | NotDone;

export type ReadAnswer<T> = { readonly kind: 'read'; readonly value: T } | Refused | NotDone;

/** The file attached to an order, as far as the platform shows it. */
export interface InvoiceFile {
  readonly mediaType: string | null;
  readonly urls: readonly string[];
  /** The platform's answer where it is JSON. */
  readonly answer: JsonValue;
}

/** The content could not be read from the database; the platform got no whole request. */
const NOT_READABLE: ChangeAnswer = { kind: 'unavailable', cause: 'content-not-readable', retryAfterMs: 5_000 };

/**
 * The platform's storage routes of one tenant, in the words of the use cases; content is read from the uploads while it
 * is sent.
 */
export class PlatformAdapter {
  readonly #client: PlatformClient;
  readonly #uploads: Pick<UploadsRepository, 'chunks'>;

  constructor(client: PlatformClient, uploads: Pick<UploadsRepository, 'chunks'>) {
    this.#client = client;
    this.#uploads = uploads;
  }

  async listImages(skuExternalReference: string, options: CallOptions): Promise<ReadAnswer<readonly string[]>> {
    return readAnswer(await this.#client.listFiles(skuExternalReference, FILE_TYPES.SKU, options), []);
  }

  async uploadImages(
    skuExternalReference: string,
    images: readonly HeldImage[],
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const uploads = images.map((image) => this.#imageUpload(skuExternalReference, image));
    return changeAnswer(() => this.#client.uploadImages(skuExternalReference, uploads, options));
  }

  sizeOfImages(skuExternalReference: string, images: readonly HeldImage[]): number {
    return uploadImagesSize(images.map((image) => this.#imageUpload(skuExternalReference, image)));
  }

  async findInvoice(orderId: string, options: CallOptions): Promise<ReadAnswer<InvoiceFile | null>> {
    return readAnswer<InvoiceFile | null>(await this.#client.getInvoice(orderId, options), null);
  }

  async uploadInvoice(
    { orderId, orderNumber }: { readonly orderId: string; readonly orderNumber: number },
    pdf: HeldUpload,
    options: CallOptions,
  ): Promise<ChangeAnswer> {
    const file = { content: this.#contentOf(pdf), fileName: invoiceFileName(orderNumber) };
    return changeAnswer(() => this.#client.uploadInvoicePdf(orderId, file, options));
  }

  async findOrderId(orderNumber: number, options: CallOptions): Promise<ReadAnswer<string | null>> {
    const answer = readAnswer<string | null>(await this.#client.getWebhookPayload(String(orderNumber), options), null);
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
    return { size, stream: () => this.#uploads.chunks(uploadId) };
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
