import type { ErrorObject } from '../core-error.ts';
import type { Json, JsonObject } from '../exact-json.ts';
import type { EventName } from './event-names.ts';

/** docs/platform.md, "Notification envelope", `relatedEntity`; of users the sandbox tells nothing. */
export type RelatedEntity =
  | 'ProductWithSKUs'
  | 'Category'
  | 'Brand'
  | 'Warehouse'
  | 'WarehouseSKU'
  | 'SKUPricing'
  | 'Order';

/** docs/platform.md, "Notification envelope". */
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
export function envelopeOf({
  operationId,
  contractAccountId,
  relatedEntity,
  eventType,
  data,
  error,
}: Notification): JsonObject {
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
