import {
  isIdentityText,
  isRelatedEntity,
  orderNumberText,
  type RelatedEntity,
} from '@gondola/shared/topics/identities';
import { type JsonRecord, type JsonValue, parseRecord } from '@gondola/shared/json/json-digits';
import { type NotificationEnvelope, readEnvelope } from '@gondola/shared/topics/notification-envelope';
import type { LaneKind } from '../lane-kinds.ts';

/**
 * Facts of an order notification that this app stores: the order's GUID, and refusals. It stores nothing else, so
 * no personal data.
 */
export interface OrderFacts {
  readonly order: { readonly orderNumber: string; readonly orderId: string } | null;
  readonly failure: ReportedFailure | null;
}

/** A refusal reported by an event. */
export interface ReportedFailure {
  readonly operationId: string | null;
  readonly eventType: string;
  /** Lane of the entity that `data` names, if any. */
  readonly about: { readonly kind: LaneKind; readonly identity: string } | null;
  /** The bytes of the envelope's `error`, as received. */
  readonly error: Uint8Array | null;
}

const WITH_FILES: readonly RelatedEntity[] = ['ProductWithSKUs', 'Order'];

export type OrderNotificationReading =
  | { readonly kind: 'facts'; readonly facts: OrderFacts }
  | { readonly kind: 'skip'; readonly why: string };

/**
 * Reads an order notification, or an `Operation_Failed` of any entity (rules 5, 6): a notification with an error,
 * or with a failure's name, is a refusal.
 */
export function readOrderNotification(value: Uint8Array | null): OrderNotificationReading {
  const envelope = readEnvelope(value);
  if (envelope === null) return { kind: 'skip', why: 'not-an-envelope' };
  const data = parseRecord(envelope.dataBytes) ?? {};
  const failure = envelope.isFailure ? failureOf(envelope, data) : null;
  const order = orderOf(envelope, data);
  return order === null && failure === null
    ? { kind: 'skip', why: 'no-news' }
    : { kind: 'facts', facts: { order, failure } };
}

function orderOf({ relatedEntity }: NotificationEnvelope, { number, id }: JsonRecord): OrderFacts['order'] {
  const orderNumber = orderNumberText(number);
  if (relatedEntity !== 'Order' || orderNumber === null || !isIdentityText(id)) return null;
  return { orderNumber, orderId: id };
}

function failureOf(envelope: NotificationEnvelope, data: JsonRecord): ReportedFailure {
  const { operationId, eventType, relatedEntity, errorBytes } = envelope;
  return { operationId, eventType, about: aboutOf(relatedEntity, data), error: errorBytes };
}

/**
 * The platform's document has no entity for files, so a refusal of a file may name any entity except those without
 * files.
 */
function aboutOf(relatedEntity: string | null, data: JsonRecord): ReportedFailure['about'] {
  if (isRelatedEntity(relatedEntity) && !WITH_FILES.includes(relatedEntity)) return null;
  const orderNumber = orderNumberText(data['number']);
  if (orderNumber !== null) return { kind: 'order-invoice', identity: orderNumber };
  const reference = textOf(data['skuExternalReference']) ?? textOf(data['externalReference']);
  if (reference !== null) return { kind: 'sku-images', identity: reference };
  const id = textOf(data['id']);
  return id === null ? null : { kind: 'entity-files', identity: id };
}

function textOf(value: JsonValue | undefined): string | null {
  return isIdentityText(value) ? value : null;
}
