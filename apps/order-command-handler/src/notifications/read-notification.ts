import { hash } from 'node:crypto';
import { notificationKey } from '@gondola/shared/topics/dedup-keys';
import { OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import { isIdentityText, isRelatedEntity } from '@gondola/shared/topics/identities';
import { type JsonRecord, type JsonValue, parseRecord } from '@gondola/shared/json/json-digits';
import { notAnObject, type Sentences, sentencesOf } from '@gondola/shared/results/unreadable-reason';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { statusCodeOf } from '@gondola/shared/orders/read-values';
import { platformMoment } from '@gondola/shared/time';
import { FactContent } from '../facts/fact-content.ts';
import type { NewFact } from '../facts/order-fact.ts';
import { readOrderNumber } from '../facts/order-lane.ts';

export type NotificationReading =
  | { readonly kind: 'fact'; readonly fact: NewFact }
  | { readonly kind: 'skip'; readonly why: string }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: Sentences };

export interface NotificationHeaders {
  readonly tenant: string;
  readonly id: string | undefined;
  readonly traceparent: string;
}

/**
 * Reads an order notification as a fact. Event names decide only whether it is a refusal: unknown names are judged by
 * their fields (rule 5). An `Operation_Failed` without an order's number belongs to another app and is skipped (rule
 * 6).
 */
export function readNotification(value: Uint8Array | null, headers: NotificationHeaders): NotificationReading {
  const envelope = readEnvelope(value);
  if (envelope === null) return { kind: 'dead-letter', code: 'NOT_JSON', reason: notAnObject(value) };
  const { operationId, relatedEntity, eventType, dataBytes, errorBytes, isFailure } = envelope;
  if (isRelatedEntity(relatedEntity) && relatedEntity !== 'Order') {
    return { kind: 'skip', why: 'another-entity' };
  }
  const data = parseRecord(dataBytes);
  const orderNumber = data === null ? null : readOrderNumber(data['number']);
  if (data === null || orderNumber === null || dataBytes === null) {
    if (eventType === OPERATION_FAILED) return { kind: 'skip', why: 'no-order-number' };
    return { kind: 'dead-letter', code: 'IDENTITY_MISSING', reason: sentencesOf('IDENTITY_MISSING', 'data.number') };
  }
  return {
    kind: 'fact',
    fact: {
      dedupKey:
        headers.id ??
        notificationKey({ tenant: headers.tenant, operationId: operationId ?? '', eventType, dataBytes, errorBytes }),
      tenant: headers.tenant,
      orderNumber,
      source: 'notification',
      eventType,
      failure: isFailure,
      operationId,
      ...stateOf(data),
      hash: hash('sha256', dataBytes),
      content: new FactContent(dataBytes, data),
      errorBytes,
      traceparent: headers.traceparent,
    },
  };
}

function stateOf(data: JsonRecord): Pick<NewFact, 'status' | 'updatedAt' | 'ticks' | 'orderId' | 'hasItems'> {
  return {
    status: statusCodeOf(data['status']),
    updatedAt: textOf(data['updatedAt']),
    ticks: platformMoment(data['updatedAt'])?.ticks ?? null,
    orderId: textOf(data['id']),
    hasItems: Array.isArray(data['items']),
  };
}

/** Text that can be stored and compared; null for anything else. */
function textOf(value: JsonValue | undefined): string | null {
  return isIdentityText(value) ? value : null;
}
