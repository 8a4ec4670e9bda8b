import type { RelatedEntity } from './identities.ts';
import type { TopicName } from './topics.ts';

/**
 * Event names (platform document, "Subscription"). Names of successes of other entities are not documented: the wire
 * profile's.
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

/** Every documented name: what a registration subscribes to, beside the profile's. */
export const ALL_EVENT_NAMES = [...ORDER_EVENT_NAMES, ...CATALOG_EVENT_NAMES] as const;

export type EventName = (typeof ALL_EVENT_NAMES)[number];

/**
 * The four that are actually delivered for orders, with their numeric codes; the others are waited for by nobody (rule
 * 5).
 */
export const DELIVERED_ORDER_EVENTS = {
  Order_Updated: 14,
  Order_StatusUpdateFailed: 118,
  Order_CancelFailed: 132,
  Operation_Failed: 999,
} as const satisfies Partial<Record<EventName, number>>;

/** The refusal of an operation that has no failure event of its own; may be about any entity. */
export const OPERATION_FAILED = 'Operation_Failed';

/** Whether a name says that the core refused something. Fields win over names where both speak (rule 26). */
export function isFailureEvent(eventType: string): boolean {
  return eventType.endsWith('Failed');
}

/** The topic that a notification goes to (rule 6). Users go there only where the tenant wants them. */
export function notificationTopic(relatedEntity: RelatedEntity, eventType: string): TopicName {
  if (eventType === OPERATION_FAILED || relatedEntity === 'Order') return 'platform.notifications.orders.v1';
  return relatedEntity === 'User' ? 'platform.notifications.users.v1' : 'platform.notifications.catalog.v1';
}
