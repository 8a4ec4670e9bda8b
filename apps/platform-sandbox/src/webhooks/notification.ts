import type { ErrorObject } from '../values/refusal.ts';
import { isJsonObject, keyOf, numberOf, numberText, type Json, type JsonObject } from '../values/exact-json.ts';
import type { EventName } from './event-names.ts';

/** The part of a product's report that holds refusals. */
interface ReportedProduct {
  readonly product: { readonly externalReference: string | null; readonly error: ErrorObject | null };
  readonly skus: {
    readonly failedSKUs: readonly { readonly externalReference: string | null; readonly error: ErrorObject }[];
  };
}

/** `relatedEntity` of docs/platform.md, "Notification envelope"; the sandbox sends no notifications of users. */
export type RelatedEntity =
  | 'ProductWithSKUs'
  | 'Category'
  | 'Brand'
  | 'Warehouse'
  | 'WarehouseSKU'
  | 'SKUPricing'
  | 'Order';

export interface Notification {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly relatedEntity: RelatedEntity;
  readonly eventType: EventName;
  readonly data: Json;
  /** Only in failures of entities whose error is not inside `data`. */
  readonly error?: ErrorObject;
}

/** The envelope as sent: exactly these keys. */
export function envelopeOf(notification: Notification): JsonObject {
  const { operationId, contractAccountId, relatedEntity, eventType, data, error } = notification;
  const envelope = { operationId, contractAccountId, relatedEntity, eventType, data };
  return error === undefined ? envelope : { ...envelope, error };
}

/**
 * True if the webhook is subscribed to the event. Other events are dropped: no delivery, no retry, no dead letter.
 */
export function isSubscribed(
  webhook: { readonly eventTypes: readonly string[] } | undefined,
  eventType: string,
): boolean {
  return webhook !== undefined && webhook.eventTypes.includes(eventType);
}

/** The core's refusal of an accepted operation: of a batch item, of one of its SKUs, or of a whole call. */
export interface Rejection {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly eventType: string;
  /** Reference of a product, brand or category, number of an order, else the entity's id; null without one. */
  readonly about: string | null;
  /** Reference of the SKU, if the refusal concerns a SKU of a stored product. */
  readonly sku: string | null;
  readonly error: ErrorObject;
}

const IDENTITIES = ['externalReference', 'number', 'id'];

/** The refusals in a notification, whether or not it is subscribed to. */
export function rejectionsIn(notification: Notification): Rejection[] {
  const { operationId, contractAccountId, relatedEntity, eventType, data, error } = notification;
  const common = { operationId, contractAccountId, eventType };
  if (error) return [{ ...common, about: identityIn(data), sku: null, error }];
  if (relatedEntity !== 'ProductWithSKUs') return [];
  const { product, skus } = data as unknown as ReportedProduct;
  const about = product.externalReference;
  return [
    ...(product.error ? [{ ...common, about, sku: null, error: product.error }] : []),
    ...skus.failedSKUs.map(({ externalReference, error: ofSku }) => ({
      ...common,
      about,
      sku: externalReference,
      error: ofSku,
    })),
  ];
}

/** Order and product that a notification is about. */
export function subjectOf({ relatedEntity, data }: Pick<Notification, 'relatedEntity' | 'data'>) {
  const status = isJsonObject(data) ? numberOf(keyOf(data, 'status')) : undefined;
  const product = isJsonObject(data) ? keyOf(data, 'product') : undefined;
  const reference =
    relatedEntity === 'ProductWithSKUs' && product !== undefined ? identityIn(product) : identityIn(data);
  const number = isJsonObject(data) ? numberOf(keyOf(data, 'number')) : undefined;
  return {
    orderNumber: relatedEntity === 'Order' ? (number ?? null) : null,
    status: relatedEntity === 'Order' ? (status ?? null) : null,
    reference: relatedEntity === 'Order' ? null : reference,
  };
}

function identityIn(data: Json): string | null {
  if (!isJsonObject(data)) return null;
  for (const key of IDENTITIES) {
    const value = keyOf(data, key);
    if (typeof value === 'string') return value;
    const number = numberText(value);
    if (number !== undefined) return number;
  }
  return null;
}
