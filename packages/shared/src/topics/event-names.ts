import type { RelatedEntity } from './identities.ts';
import type { TopicName } from './topics.ts';

/**
 * Event names (platform document, "Subscription"). The names of success events of other entities are not
 * documented; the wire profile defines them.
 */

export const ORDER_EVENT_NAMES = [
  'Order_Created',
  'Order_Updated',
  'Order_Cancelled',
  'Order_CancelRequested',
  'Order_StatusUpdated',
  'Order_InvoiceCreated',
  'Order_InvoiceUploaded',
  'Order_CreationFailed',
  'Order_UpdateFailed',
  'Order_StatusUpdateFailed',
  'Order_CancelFailed',
  'Operation_Failed',
] as const;

export const CATALOG_EVENT_NAMES = [
  'ProductWithSKUs_Created',
  'ProductWithSKUs_Updated',
  'ProductWithSKUs_CreationFailed',
  'ProductWithSKUs_UpdateFailed',
  'ProductWithSKUs_PartiallyFailed',
  'Brand_CreationFailed',
] as const;

/** All documented names: a registration subscribes to these and the profile's. */
export const ALL_EVENT_NAMES = [...ORDER_EVENT_NAMES, ...CATALOG_EVENT_NAMES] as const;

/** Refusal of an operation that has no failure event of its own; may concern any entity. */
export const OPERATION_FAILED = 'Operation_Failed';

/** True if a name reports a refusal by the core. If fields and name differ, the fields count (rule 26). */
export function isFailureEvent(eventType: string): boolean {
  return eventType.endsWith('Failed');
}

/** Topic of a notification (rule 6). Users are published only if the tenant wants them. */
export function notificationTopic(relatedEntity: RelatedEntity, eventType: string): TopicName {
  if (eventType === OPERATION_FAILED || relatedEntity === 'Order') return 'platform.notifications.orders.v1';
  return relatedEntity === 'User' ? 'platform.notifications.users.v1' : 'platform.notifications.catalog.v1';
}
