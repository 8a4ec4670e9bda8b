import { errorObject, type CoreRefusal, type RefusalContext } from '../core-error.ts';
import type { Json } from '../exact-json.ts';
import type { EventName } from '../webhooks/event-names.ts';
import type { Notification } from '../webhooks/notification.ts';
import type { LooseEntity } from './loose-record.ts';

type CatalogEntity = 'Brand' | 'Category' | LooseEntity;

/** What an item of a batch was about. */
interface ToldItem {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly entity: CatalogEntity;
  readonly data: Json;
}

/** A brand or category in a failure: `name` is null where the item has none, or was a reference only. */
export type NamedItem = { readonly externalReference: string | null; readonly name: string | null };

/**
 * An item that was rejected: the error is in the envelope (docs/platform.md, "Catalog events"; Asynchronous errors).
 */
export function itemRejected(item: ToldItem, refusal: CoreRefusal, context: RefusalContext): Notification {
  return failure(`${item.entity}_CreationFailed`, item, refusal, context);
}

/** A removal that was refused; it has no failure event of its own. */
export function removalRefused(item: ToldItem, refusal: CoreRefusal, context: RefusalContext): Notification {
  return failure('Operation_Failed', item, refusal, context);
}

/** An item that entered; told only where the switch `successEvents` says so, because no name is shown. */
export function itemEntered(item: ToldItem, existed: boolean): Notification {
  const { operationId, contractAccountId, entity, data } = item;
  const eventType: EventName = existed ? `${entity}_Updated` : `${entity}_Created`;
  return { operationId, contractAccountId, relatedEntity: entity, eventType, data };
}

function failure(
  eventType: EventName,
  { operationId, contractAccountId, entity, data }: ToldItem,
  refusal: CoreRefusal,
  context: RefusalContext,
): Notification {
  const error = errorObject(refusal, context);
  return { operationId, contractAccountId, relatedEntity: entity, eventType, data, error };
}
