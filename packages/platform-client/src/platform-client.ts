import { randomUUID } from 'node:crypto';
import type { FileTypeCode } from '@gondola/shared/fields/file-types';
import { isPlainRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { PDF_MEDIA_TYPE } from '@gondola/shared/files/media-types';
import type { OrderStatusName } from '@gondola/shared/orders/order-statuses';
import type { CallContext, InvoiceFile, MutationAnswer, ReadAnswer, Registered, WebhookAnswer } from './answers.ts';
import { classifyMutation, classifyRead, classifyRegistration, classifyWebhook } from './classify.ts';
import type { RouteName } from './call-observation.ts';
import type { Exchange } from './exchange.ts';
import {
  type FileContent,
  imageLinkingBody,
  type ImageUpload,
  imageUploadBody,
  multipartBody,
  type PlacedImage,
} from './multipart.ts';
import { readInvoiceAnswer, readOrderStatus } from './read-answers.ts';
import { pathSegment } from './platform-request.ts';
import { type TenantCall, TenantCaller, type TenantCallerOptions } from './tenant-caller.ts';
import { cancelBody, patchStatusBody, webhookBody, type WebhookRegistration } from './wire-bodies.ts';
import { ORDER_NUMBER_PLACEHOLDER, type WireProfile } from './wire-profile.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_UPLOAD_TIMEOUT_MS = 180_000;

export interface PlatformClientOptions extends TenantCallerOptions {
  readonly profile: WireProfile;
  /**
   * Time limit of a whole call without its wait for a slot, in milliseconds; default 30,000. A lane's lease must be
   * longer.
   */
  readonly timeoutMs?: number;
  /** Time limit of calls that send files, in milliseconds; default 180,000. */
  readonly uploadTimeoutMs?: number;
}

type Call = Omit<TenantCall, 'service' | 'timeoutMs'> & { readonly timeoutMs?: number };

/**
 * The platform's HTTP API for one tenant: one method per route. Bodies are JSON text and are sent unchanged (rule
 * 21). Calls are not retried here: lanes control retries, deadlines and read-backs (rules 16, 36).
 *
 * No method throws for failures of the network or the platform.
 *
 * @throws PlatformClientError for a call that cannot be made at all: an empty reference, a closed client, content
 *   that cannot be read
 */
export class PlatformClient {
  readonly #caller: TenantCaller;
  readonly #profile: WireProfile;
  readonly #timeoutMs: number;
  readonly #uploadTimeoutMs: number;

  constructor(options: PlatformClientOptions) {
    this.#caller = new TenantCaller(options);
    this.#profile = options.profile;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#uploadTimeoutMs = options.uploadTimeoutMs ?? DEFAULT_UPLOAD_TIMEOUT_MS;
  }

  /**
   * `POST /v1/batch/Brands`: queues whole brands (docs/platform.md, "Catalog").
   *
   * @param bodyText JSON array of brands
   */
  async postBrands(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(batch('postBrands', 'POST', 'Brands', bodyText, context), context);
  }

  /**
   * `DELETE /v1/batch/Brands`: queues the removal of brands. The route's answer is not shown, so `operationId` may
   * be null.
   */
  async deleteBrands(externalReferences: readonly string[], context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(
      batch('deleteBrands', 'DELETE', 'Brands', JSON.stringify(externalReferences), context),
      context,
    );
  }

  /**
   * `POST /v1/batch/Categories`: queues whole categories; a tree of them is nested in `children`.
   *
   * @param bodyText JSON array of categories
   */
  async postCategories(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(batch('postCategories', 'POST', 'Categories', bodyText, context), context);
  }

  /**
   * `POST /v1/batch/Products`: queues a batch of partial product updates (docs/platform.md, "Catalog"; rule 25).
   *
   * @param bodyText JSON array of products
   */
  async postProducts(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(batch('postProducts', 'POST', 'Products', bodyText, context), context);
  }

  /**
   * Queues prices, at the path of the wire profile (docs/platform.md, "Catalog": neither path nor payload is shown).
   *
   * @param bodyText JSON array of prices
   */
  async postPrices(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(loose('postPrices', this.#profile.pricingPath, bodyText, context), context);
  }

  /**
   * Queues warehouses, at the path of the wire profile.
   *
   * @param bodyText JSON array of warehouses
   */
  async postWarehouses(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(loose('postWarehouses', this.#profile.warehousesPath, bodyText, context), context);
  }

  /**
   * Queues the stock of SKUs in warehouses, at the path of the wire profile.
   *
   * @param bodyText JSON array of stocks
   */
  async postStock(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(loose('postStock', this.#profile.stockPath, bodyText, context), context);
  }

  /**
   * `GET /v1/batch/Products/{externalReference}`: the product's read model as JSON text of one object
   * (docs/platform.md, "Product read model").
   */
  async getProduct(externalReference: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    const path = `/v1/batch/Products/${pathSegment(externalReference)}`;
    return this.#read({ route: 'getProduct', method: 'GET', path, about: path }, context, jsonObjectText);
  }

  /** `PATCH /v1/Orders/{orderNumber}/status`: requests a status by its name (docs/platform.md, "Orders"). */
  async patchOrderStatus(
    orderNumber: string,
    statusName: OrderStatusName,
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const body = patchStatusBody(this.#profile, statusName);
    return this.#change(
      { route: 'patchOrderStatus', method: 'PATCH', ...order(orderNumber, '/status'), body },
      context,
    );
  }

  /** `GET /v1/Orders/{orderNumber}/status`: the order's status code, read by the wire profile. */
  async getOrderStatus(orderNumber: string, context: CallContext = {}): Promise<ReadAnswer<number>> {
    return this.#read({ route: 'getOrderStatus', method: 'GET', ...order(orderNumber, '/status') }, context, (text) =>
      readOrderStatus(text, this.#profile.orderStatusPaths),
    );
  }

  /**
   * `GET /v1/Orders/{orderNumber}/webhook-payload`, v2: the order's present state as JSON text of one object.
   * `not-found` may also mean that the order is not paid yet (docs/platform.md, "Reading an order payload on
   * demand"; rules 17, 18).
   */
  async getWebhookPayload(orderNumber: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    const { about } = order(orderNumber);
    const path = this.#profile.webhookPayloadPath.replaceAll(ORDER_NUMBER_PLACEHOLDER, pathSegment(orderNumber));
    return this.#read({ route: 'getWebhookPayload', method: 'GET', path, about }, context, jsonObjectText);
  }

  /**
   * `PUT /v1/Orders/{orderNumber}`: reports the picking; a 1300 confirms it.
   *
   * @param bodyText `pickingBody` of `wire-bodies`
   */
  async putOrder(orderNumber: string, bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change({ route: 'putOrder', method: 'PUT', ...order(orderNumber), body: bodyText }, context);
  }

  /**
   * `PUT /v1/Orders/invoiced/{orderNumber}`: registers an invoice. The platform also answers 500 for an order that
   * does not exist, so a 500 never counts for the circuit breaker (docs/platform.md, "Errors"; rule 17).
   *
   * @param bodyText JSON `{ number, issuanceDate, value }`
   */
  async putInvoiced(
    orderNumber: string,
    bodyText: string,
    context: CallContext = {},
  ): Promise<MutationAnswer<Registered>> {
    const path = `/v1/Orders/invoiced/${pathSegment(orderNumber)}`;
    const { about } = order(orderNumber);
    const call = { route: 'putInvoiced', method: 'PUT', path, about, answers500: true, body: bodyText } as const;
    return this.#call(call, context, classifyRegistration);
  }

  /**
   * `POST /v1/Orders/{orderNumber}/cancel`: requests a cancellation, which the platform processes in the
   * background.
   */
  async cancelOrder(orderNumber: string, reason: string, context: CallContext = {}): Promise<MutationAnswer> {
    const body = cancelBody(this.#profile, reason);
    return this.#change({ route: 'cancelOrder', method: 'POST', ...order(orderNumber, '/cancel'), body }, context);
  }

  /**
   * `POST /v1/Storages/image/upload`: uploads images of a SKU in one request, `orders` in the sequence of `files`
   * (docs/platform.md, "Endpoints", Files; rule 32). The caller observes the platform's limit of 100 MB;
   * `uploadImagesSize` returns the size of the body.
   */
  async uploadImages(
    skuExternalReference: string,
    images: readonly ImageUpload[],
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    return this.#sendImages('uploadImages', 'POST', skuExternalReference, images, context);
  }

  /**
   * `POST /v1/Storages/image/upload` without files: links images that were transferred by SFTP to their SKU, in one
   * request (docs/platform.md, "Files"; rule 34).
   */
  async linkImages(
    skuExternalReference: string,
    images: readonly PlacedImage[],
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const path = imagesPath(skuExternalReference);
    const body = imageLinkingBody(images, this.#profile.linkedNamesField);
    return this.#change({ route: 'linkImages', method: 'POST', path, about: path, body }, context);
  }

  /**
   * `DELETE /v1/Storages/image/upload`: undoes a recent upload, with the same form. The route's answer is not
   * shown, so `operationId` may be null.
   */
  async undoImages(
    skuExternalReference: string,
    images: readonly ImageUpload[],
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    return this.#sendImages('undoImages', 'DELETE', skuExternalReference, images, context);
  }

  /** `GET /v1/Storages/file/{externalReference}/{fileType}`: the URLs of an entity's files. */
  async listFiles(
    externalReference: string,
    fileType: FileTypeCode,
    context: CallContext = {},
  ): Promise<ReadAnswer<readonly string[]>> {
    const about = `/v1/Storages/file/${pathSegment(externalReference)}`;
    const path = `${about}/${fileType}`;
    return this.#read({ route: 'listFiles', method: 'GET', path, about }, context, textList);
  }

  /**
   * `DELETE /v1/Storages/file/{externalReference}`: removes files by their URLs or ids; an empty list is left out.
   * The route's answer is not shown.
   */
  async removeFiles(
    externalReference: string,
    files: {
      readonly fileType: FileTypeCode;
      readonly urls: readonly string[];
      readonly storageIds?: readonly string[];
    },
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const path = `/v1/Storages/file/${pathSegment(externalReference)}`;
    const { fileType, urls, storageIds = [] } = files;
    const body = JSON.stringify({
      fileType,
      ...(urls.length > 0 && { urls }),
      ...(storageIds.length > 0 && { storageIds }),
    });
    return this.#change({ route: 'removeFiles', method: 'DELETE', path, about: path, body }, context);
  }

  /** `DELETE /v1/Storages/delete/{entityId}`: removes all files of an entity. The route's answer is not shown. */
  async removeAllFiles(entityId: string, context: CallContext = {}): Promise<MutationAnswer> {
    const path = `/v1/Storages/delete/${pathSegment(entityId)}`;
    return this.#change({ route: 'removeAllFiles', method: 'DELETE', path, about: path }, context);
  }

  /**
   * `POST /v1/Storages/invoice/upload`: attaches the invoice's PDF, with the content type of a PDF on its part
   * (docs/platform.md, "Errors"; rule 33). The route's answer is not shown, so `operationId` may be null.
   *
   * @param orderId the order's GUID, not its number
   */
  async uploadInvoicePdf(
    orderId: string,
    pdf: { readonly content: FileContent; readonly fileName: string },
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const path = `/v1/Storages/invoice/upload?orderId=${pathSegment(orderId)}`;
    const body = multipartBody([{ name: 'files', mediaType: PDF_MEDIA_TYPE, ...pdf }], randomUUID());
    const timeoutMs = this.#uploadTimeoutMs;
    return this.#change({ route: 'uploadInvoicePdf', method: 'POST', path, about: orderId, body, timeoutMs }, context);
  }

  /**
   * `GET /v1/Storages/invoice`: the order's invoice file if it has one, read by the wire profile. `orderId` is the
   * order's GUID.
   */
  async getInvoice(orderId: string, context: CallContext = {}): Promise<ReadAnswer<InvoiceFile>> {
    const path = `/v1/Storages/invoice?orderId=${pathSegment(orderId)}`;
    return this.#call({ route: 'getInvoice', method: 'GET', path, about: orderId }, context, (end, retryAfterMs) =>
      readInvoiceAnswer(end, retryAfterMs, this.#profile),
    );
  }

  /**
   * `POST /v1/Webhooks`: registers the tenant's only webhook, permanently: no route changes, deletes or shows it
   * (docs/platform.md, "Endpoints", Webhook; rule 37). An `exists` after an `unknown` probably refers to this
   * registration.
   */
  async registerWebhook(registration: WebhookRegistration, context: CallContext = {}): Promise<WebhookAnswer> {
    const path = '/v1/Webhooks';
    const body = webhookBody(registration);
    return this.#call({ route: 'registerWebhook', method: 'POST', path, about: path, body }, context, classifyWebhook);
  }

  /**
   * Time until which the circuit breaker of the tenant or of the route is open, in milliseconds since 1970; in the
   * past while a trial call is awaited; null while both are closed.
   */
  openUntil(route: RouteName): number | null {
    return this.#caller.openUntil(route);
  }

  /** Waits for open calls (abort them by their signals first) and closes the connections; can be called again. */
  async close(): Promise<void> {
    await this.#caller.close();
  }

  async #sendImages(
    route: 'uploadImages' | 'undoImages',
    method: 'POST' | 'DELETE',
    skuExternalReference: string,
    images: readonly ImageUpload[],
    context: CallContext,
  ): Promise<MutationAnswer> {
    const path = imagesPath(skuExternalReference);
    const body = imageUploadBody(images);
    return this.#change({ route, method, path, about: path, body, timeoutMs: this.#uploadTimeoutMs }, context);
  }

  async #change(call: Call, context: CallContext): Promise<MutationAnswer> {
    return this.#call(call, context, classifyMutation);
  }

  async #read<T>(
    call: Call,
    context: CallContext,
    readValue: (bodyText: string) => T | undefined,
  ): Promise<ReadAnswer<T>> {
    return this.#call(call, context, (end, retryAfterMs) => classifyRead(end, retryAfterMs, readValue));
  }

  #call<Answer extends { readonly kind: string; readonly cause?: string }>(
    call: Call,
    context: CallContext,
    toAnswer: (end: Exchange, retryAfterMs: number) => Answer,
  ) {
    const complete = { timeoutMs: this.#timeoutMs, ...call, service: 'integration' } as const;
    return this.#caller.call(complete, context, toAnswer);
  }
}

function batch(
  route: RouteName,
  method: 'POST' | 'DELETE',
  name: string,
  body: string,
  { about = null }: { readonly about?: string | null },
): Call {
  return { route, method, path: `/v1/batch/${name}`, about, body };
}

function loose(
  route: RouteName,
  path: string,
  body: string,
  { about = null }: { readonly about?: string | null },
): Call {
  return { route, method: 'POST', path, about, body };
}

function imagesPath(skuExternalReference: string): string {
  return `/v1/Storages/image/upload?externalReference=${pathSegment(skuExternalReference)}`;
}

function order(orderNumber: string, rest = ''): { readonly path: string; readonly about: string } {
  const about = `/v1/Orders/${pathSegment(orderNumber)}`;
  return { path: about + rest, about };
}

function jsonObjectText(text: string): string | undefined {
  return isPlainRecord(tryParseWithDigits(text)) ? text : undefined;
}

function textList(text: string): readonly string[] | undefined {
  const value: unknown = tryParseWithDigits(text);
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}
