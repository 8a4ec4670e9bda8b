import type { ErrorObject } from '../core/core-error.ts';
import type { ProductReport } from '../products/product-report.ts';
import { isJsonObject, keyOf, numberText, type Json, type JsonObject } from '../values/exact-json.ts';
import type { EventName } from './event-names.ts';

/** docs/platform.md, "Notification envelope", `relatedEntity`; the sandbox notifies of no user. */
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

/** The envelope as it goes over the wire: these keys and no other. */
export function envelopeOf(notification: Notification): JsonObject {
  const { operationId, contractAccountId, relatedEntity, eventType, data, error } = notification;
  const envelope = { operationId, contractAccountId, relatedEntity, eventType, data };
  return error === undefined ? envelope : { ...envelope, error };
}

/** An event outside the subscription is dropped: no delivery, no retry, no dead letter. Without a webhook all are. */
export function isSubscribed(
  webhook: { readonly eventTypes: readonly string[] } | undefined,
  eventType: string,
): boolean {
  return webhook !== undefined && webhook.eventTypes.includes(eventType);
}

/** What the core refused of an accepted operation: an item of a batch, one of its SKUs, or the whole of a call. */
export interface Rejection {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly eventType: string;
  /** Reference of a product, brand or category, number of an order, else its id; null where it has none. */
  readonly about: string | null;
  /** Reference of the SKU where it is one of a product that entered. */
  readonly sku: string | null;
  readonly error: ErrorObject;
}

const IDENTITIES = ['externalReference', 'number', 'id'];

/** The refusals that a notification carries, subscribed to or not. */
export function rejectionsIn(notification: Notification): Rejection[] {
  const { operationId, contractAccountId, relatedEntity, eventType, data, error } = notification;
  const common = { operationId, contractAccountId, eventType };
  if (error) return [{ ...common, about: identityIn(data), sku: null, error }];
  if (relatedEntity !== 'ProductWithSKUs') return [];
  const { product, skus } = data as ProductReport;
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
