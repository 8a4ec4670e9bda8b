import { randomUUID } from 'node:crypto';
import type { FileTypeCode } from '@gondola/shared/fields/file-types';
import { tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { PDF_MEDIA_TYPE } from '@gondola/shared/files/media-types';
import type { OrderStatusName } from '@gondola/shared/orders/order-statuses';
import type { CallContext, InvoiceFile, MutationAnswer, ReadAnswer, WebhookAnswer } from './answers.ts';
import { objectAbout } from './answer-forms.ts';
import { classifyMutation, classifyRead, classifyWebhook } from './classify.ts';
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
import type { PlatformCall } from './platform-request.ts';
import { pathOf, type BatchRoute, type References, type Route, type RouteName, ROUTES, templateOf } from './routes.ts';
import { changes, isLeftOut, type LeftOutCall, leftOutChanges, type ShadowDoor, takenAnswer } from './shadow.ts';
import type { Pause } from './tenant-passage.ts';
import { TenantCaller, type TenantCallerOptions } from './tenant-caller.ts';
import { cancelBody, patchStatusBody, webhookBody, type WebhookRegistration } from './wire-bodies.ts';
import type { WireProfile } from './wire-profile.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_UPLOAD_TIMEOUT_MS = 180_000;
/** Only people call the core service, one order at a time. */
const CORE_CONCURRENCY = 1;

export interface PlatformClientOptions extends TenantCallerOptions {
  readonly profile: WireProfile;
  /**
   * Time limit of a whole call without its wait for a slot, in milliseconds; default 30,000. A lane's lease must be
   * longer.
   */
  readonly timeoutMs?: number;
  /** Time limit of calls that send files, in milliseconds; default 180,000. */
  readonly uploadTimeoutMs?: number;
  /** The tenant is in shadow, or was: says which changes are left out, and takes them. */
  readonly shadow?: ShadowDoor;
}

/**
 * The platform's HTTP API for one tenant: a method for each route of `routes`. Bodies are JSON text and are sent
 * unchanged (rule 21). Calls are not retried here: lanes control retries, deadlines and read-backs (rules 16, 36).
 *
 * With `shadow`, a changing call that it leaves out is handed to it, and answered as the platform does. What a route
 * changes is told by its method, so that no new route is forgotten.
 *
 * The core service has a bulkhead and circuit breakers of its own: its refusal of a key stops no other call.
 *
 * No method throws for failures of the network or the platform.
 *
 * @throws PlatformClientError for a call that cannot be made at all: an empty reference, a closed client, content
 *   that cannot be read
 */
export class PlatformClient {
  readonly #callers: Readonly<Record<PlatformCall['service'], TenantCaller>>;
  readonly #profile: WireProfile;
  readonly #timeoutMs: number;
  readonly #uploadTimeoutMs: number;
  /** True if the call is left out, and stored. */
  readonly #leaveOut: (call: Omit<LeftOutCall, 'tenant'>) => Promise<boolean>;

  constructor(options: PlatformClientOptions) {
    this.#callers = {
      integration: new TenantCaller(options),
      core: new TenantCaller({ ...options, concurrency: CORE_CONCURRENCY }),
    };
    this.#profile = options.profile;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#uploadTimeoutMs = options.uploadTimeoutMs ?? DEFAULT_UPLOAD_TIMEOUT_MS;
    const { tenant, shadow, observe } = options;
    this.#leaveOut = async (call) => {
      if (shadow === undefined || !isLeftOut(shadow, call.askedBy)) return false;
      await shadow.store(await leftOutChanges({ ...call, tenant }));
      observe?.({ tenant, route: call.route, kind: 'shadow', cause: null, status: null, ms: 0 });
      return true;
    };
  }

  /**
   * Queues records (docs/platform.md, "Catalog"; rule 25). The answer of `DELETE /v1/batch/Brands` is not shown, so
   * its `operationId` may be null.
   *
   * @param bodyText JSON array of whole brands or categories (a tree of them is nested in `children`), references of
   *   brands, partial product updates, prices, warehouses, or stocks
   */
  async sendRecords(route: BatchRoute, bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change(route, {}, bodyText, context);
  }

  /**
   * The product's read model as JSON text of one object with that `externalReference` (docs/platform.md, "Product read
   * model").
   */
  async getProduct(externalReference: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    return this.#read('getProduct', { externalReference }, context, (text) =>
      objectAbout(text, 'externalReference', externalReference),
    );
  }

  /** Requests a status by its name (docs/platform.md, "Orders"). */
  async patchOrderStatus(
    orderNumber: string,
    statusName: OrderStatusName,
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const body = patchStatusBody(this.#profile, statusName);
    return this.#change('patchOrderStatus', { orderNumber }, body, context);
  }

  /** The order's status code, read by the wire profile. */
  async getOrderStatus(orderNumber: string, context: CallContext = {}): Promise<ReadAnswer<number>> {
    return this.#read('getOrderStatus', { orderNumber }, context, (text) =>
      readOrderStatus(text, this.#profile.orderStatusPaths),
    );
  }

  /**
   * The order's present state, v2, as JSON text of one object with that `number`. `not-found` may also mean that the
   * order is not paid yet (docs/platform.md, "Reading an order payload on demand"; rules 17, 18).
   */
  async getWebhookPayload(orderNumber: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    return this.#read('getWebhookPayload', { orderNumber }, context, (text) =>
      objectAbout(text, 'number', orderNumber),
    );
  }

  /**
   * Reports the picking; a 1300 confirms it.
   *
   * @param bodyText `pickingBody` of `wire-bodies`
   */
  async putOrder(orderNumber: string, bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change('putOrder', { orderNumber }, bodyText, context);
  }

  /**
   * Registers an invoice; the platform's `transactionId` is its operation. The platform also answers 500 for an order
   * that does not exist (docs/platform.md, "Errors"; rule 17).
   *
   * @param bodyText JSON `{ number, issuanceDate, value }`
   */
  async putInvoiced(orderNumber: string, bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change('putInvoiced', { orderNumber }, bodyText, context);
  }

  /** Requests a cancellation, which the platform processes in the background. */
  async cancelOrder(orderNumber: string, reason: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change('cancelOrder', { orderNumber }, cancelBody(this.#profile, reason), context);
  }

  /**
   * Uploads images of a SKU in one request, `orders` in the sequence of `files` (docs/platform.md, "Endpoints",
   * Files; rule 32). The caller observes the platform's limit of 100 MB; `uploadImagesSize` returns the size of the
   * body.
   */
  async uploadImages(
    externalReference: string,
    images: readonly ImageUpload[],
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    return this.#change('uploadImages', { externalReference }, imageUploadBody(images), context);
  }

  /** Links images that were transferred by SFTP to their SKU, in one request (docs/platform.md, "Files"; rule 34). */
  async linkImages(
    externalReference: string,
    images: readonly PlacedImage[],
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const body = imageLinkingBody(images, this.#profile.linkedNamesField);
    return this.#change('linkImages', { externalReference }, body, context);
  }

  /** Undoes a recent upload, with the same form. The route's answer is not shown, so `operationId` may be null. */
  async undoImages(
    externalReference: string,
    images: readonly ImageUpload[],
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    return this.#change('undoImages', { externalReference }, imageUploadBody(images), context);
  }

  /** The URLs of an entity's files. */
  async listFiles(
    externalReference: string,
    fileType: FileTypeCode,
    context: CallContext = {},
  ): Promise<ReadAnswer<readonly string[]>> {
    return this.#read('listFiles', { externalReference, fileType }, context, textList);
  }

  /** Removes files by their URLs or ids; an empty list is left out. The route's answer is not shown. */
  async removeFiles(
    externalReference: string,
    files: {
      readonly fileType: FileTypeCode;
      readonly urls: readonly string[];
      readonly storageIds?: readonly string[];
    },
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const { fileType, urls, storageIds = [] } = files;
    const body = JSON.stringify({
      fileType,
      ...(urls.length > 0 && { urls }),
      ...(storageIds.length > 0 && { storageIds }),
    });
    return this.#change('removeFiles', { externalReference }, body, context);
  }

  /** Removes all files of an entity. The route's answer is not shown. */
  async removeAllFiles(entityId: string, context: CallContext = {}): Promise<MutationAnswer> {
    return this.#change('removeAllFiles', { entityId }, undefined, context);
  }

  /**
   * Attaches the invoice's PDF, with the content type of a PDF on its part (docs/platform.md, "Errors"; rule 33). The
   * route's answer is not shown, so `operationId` may be null.
   *
   * @param orderId the order's GUID, not its number
   */
  async uploadInvoicePdf(
    orderId: string,
    pdf: { readonly content: FileContent; readonly fileName: string },
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const body = multipartBody([{ name: 'files', mediaType: PDF_MEDIA_TYPE, ...pdf }], randomUUID());
    return this.#change('uploadInvoicePdf', { orderId }, body, context);
  }

  /** The order's invoice file if it has one, read by the wire profile. `orderId` is the order's GUID. */
  async getInvoice(orderId: string, context: CallContext = {}): Promise<ReadAnswer<InvoiceFile>> {
    return this.#call('getInvoice', { about: { orderId } }, context, (end, retryAfterMs) =>
      readInvoiceAnswer(end, retryAfterMs, this.#profile),
    );
  }

  /**
   * Registers the tenant's only webhook, permanently: no route changes, deletes or shows it (docs/platform.md,
   * "Endpoints", Webhook; rule 37). An `exists` after an `unknown` probably refers to this registration.
   */
  async registerWebhook(registration: WebhookRegistration, context: CallContext = {}): Promise<WebhookAnswer> {
    return this.#call('registerWebhook', { body: webhookBody(registration) }, context, classifyWebhook);
  }

  /**
   * The core service's details of an order as it answered them: their form is not shown (docs/platform.md, "Orders").
   *
   * @param orderId the order's GUID, `data.id` in its notifications
   * @throws PlatformClientError `CORE_KEY_MISSING` for a tenant without `coreApiKey`
   */
  async getOrderDetails(orderId: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    return this.#read('getOrderDetails', { orderId }, context, (text) => text);
  }

  /**
   * Time until which the circuit breaker of the tenant or of the route is open, in milliseconds since 1970; in the
   * past while a trial call is awaited; null while both are closed.
   */
  openUntil(route: RouteName): number | null {
    return this.#callerOf(route).openUntil(route);
  }

  /** Milliseconds for which no call of the route goes through; 0 when one may. */
  pausedForMs(route: RouteName): number {
    return this.#callerOf(route).pausedForMs(route);
  }

  /** The open circuit breakers of the tenant's calls. */
  pauses(): Pause[] {
    return Object.values(this.#callers).flatMap((caller) => caller.pauses());
  }

  /** Ends the pause of a route, null for those of all calls: the next call is the trial call. */
  endPause(route: string | null): void {
    for (const caller of Object.values(this.#callers)) caller.endPause(route);
  }

  /**
   * End of the validity of the certificate that the platform showed last, in milliseconds since 1970; of both services
   * the earlier one. Null before a call, and without TLS.
   */
  certificateExpiresAt(): number | null {
    const seen = Object.values(this.#callers).flatMap((caller) => caller.certificateExpiresAt() ?? []);
    return seen.length === 0 ? null : Math.min(...seen);
  }

  /** Waits for open calls (abort them by their signals first) and closes the connections; can be called again. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#callers).map((caller) => caller.close()));
  }

  async #change(
    route: RouteName,
    about: References,
    body: PlatformCall['body'],
    context: CallContext,
  ): Promise<MutationAnswer> {
    const { answer: form }: Route = ROUTES[route];
    const call = body === undefined ? { about } : { about, body };
    return this.#call(route, call, context, (end, retryAfterMs) => classifyMutation(end, retryAfterMs, form));
  }

  async #read<T>(
    route: RouteName,
    about: References,
    context: CallContext,
    readValue: (bodyText: string) => T | undefined,
  ): Promise<ReadAnswer<T>> {
    return this.#call(route, { about }, context, (end, retryAfterMs) => classifyRead(end, retryAfterMs, readValue));
  }

  async #call<Answer extends { readonly kind: string; readonly cause?: string; readonly retryAfterMs?: number }>(
    name: RouteName,
    { about = {}, ...sent }: { readonly about?: References } & Pick<PlatformCall, 'body'>,
    context: CallContext,
    toAnswer: (end: Exchange, retryAfterMs: number) => Answer,
  ) {
    const route: Route = ROUTES[name];
    const path = pathOf(route, about, this.#profile);
    if (changes(name)) {
      const entity = String(Object.values(about)[0] ?? '');
      const isTaken = await this.#leaveOut({ route: name, entity, body: sent.body, askedBy: context.askedBy });
      if (isTaken) return toAnswer(takenAnswer(route), 0);
    }
    const call = {
      ...sent,
      route: name,
      service: route.service ?? 'integration',
      method: route.method,
      path,
      template: templateOf(route, this.#profile),
      about: entityOf(route, about, context),
      answers500: route.answers500,
      timeoutMs: route.takes === 'files' ? this.#uploadTimeoutMs : this.#timeoutMs,
    } as const;
    return this.#callerOf(name).call(call, context, toAnswer);
  }

  #callerOf(route: RouteName): TenantCaller {
    const { service = 'integration' }: Route = ROUTES[route];
    return this.#callers[service];
  }
}

/** The entity of a call within its route. */
function entityOf({ takes, path }: Route, references: References, { about }: CallContext): string | null {
  return takes === 'records' ? (about ?? null) : String(Object.values(references)[0] ?? path);
}

function textList(text: string): readonly string[] | undefined {
  const value: unknown = tryParseWithDigits(text);
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}
