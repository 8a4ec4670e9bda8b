import { errorObject, type CoreRefusal, type RefusalContext } from '../core-error.ts';
import type { EventName } from '../webhooks/event-names.ts';
import type { Notification } from '../webhooks/notification.ts';

/** What a refused item of a brand or category batch was about. */
export interface RefusedItem {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly entity: 'Brand' | 'Category';
  readonly externalReference: string | null;
  /** Null where the item has none, or was a reference only. */
  readonly name: string | null;
}

const CREATION_FAILED = { Brand: 'Brand_CreationFailed', Category: 'Category_CreationFailed' } as const;

/** A brand or category that was rejected: the error is in the envelope (platform-api.md: Catalog events; Asynchronous errors). */
export function itemRejected(refused: RefusedItem, refusal: CoreRefusal, context: RefusalContext): Notification {
  return failure(CREATION_FAILED[refused.entity], refused, refusal, context);
}

/** A removal that was refused; it has no failure event of its own. */
export function removalRefused(refused: RefusedItem, refusal: CoreRefusal, context: RefusalContext): Notification {
  return failure('Operation_Failed', refused, refusal, context);
}

function failure(
  eventType: EventName,
  { operationId, contractAccountId, entity, externalReference, name }: RefusedItem,
  refusal: CoreRefusal,
  context: RefusalContext,
): Notification {
  const data = { externalReference, name };
  const error = errorObject(refusal, context);
  return { operationId, contractAccountId, relatedEntity: entity, eventType, data, error };
}
