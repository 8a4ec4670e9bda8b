import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { HeldImage, HeldUpload } from '../domain/held-content.ts';

/** What the use cases need of the platform, for one tenant. `outbound/platform.adapter` has the calls. */

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

export interface FilePlatform {
  /** The addresses of a SKU's images; none for a SKU of which there are no files. */
  listImages(skuExternalReference: string, options: CallOptions): Promise<ReadAnswer<readonly string[]>>;
  /** One ordered request. */
  uploadImages(skuExternalReference: string, images: readonly HeldImage[], options: CallOptions): Promise<ChangeAnswer>;
  /** Bytes of that request: those of an empty one, and what each image adds. */
  sizeOfImages(skuExternalReference: string, images: readonly HeldImage[]): number;
  /** Null: the order has no file, or is not known. */
  findInvoice(orderId: string, options: CallOptions): Promise<ReadAnswer<InvoiceFile | null>>;
  uploadInvoice(
    order: { readonly orderId: string; readonly orderNumber: number },
    pdf: HeldUpload,
    options: CallOptions,
  ): Promise<ChangeAnswer>;
  /** The GUID of an order by its number; null where the platform does not know it, or it is not paid yet (rule 17). */
  findOrderId(orderNumber: number, options: CallOptions): Promise<ReadAnswer<string | null>>;
}
