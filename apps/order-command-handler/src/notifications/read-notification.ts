import { createHash } from 'node:crypto';
import { notificationKey } from '@gondola/shared/topics/dedup-keys';
import { OPERATION_FAILED } from '@gondola/shared/topics/event-names';
import { isIdentityText, isRelatedEntity, orderNumberText } from '@gondola/shared/topics/identities';
import { type JsonRecord, type JsonValue, parseRecord } from '@gondola/shared/json/json-digits';
import { notAnObject, type Sentences, sentencesOf } from '@gondola/shared/results/unreadable-reason';
import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import { readEnvelope } from '@gondola/shared/topics/notification-envelope';
import { platformMoment } from '@gondola/shared/time';
import type { OrderFact } from './order-fact.ts';

/** A fact as it arrives, with what only the database stores. */
export interface NewFact extends Omit<OrderFact, 'id' | 'error'> {
  /** The record's `ce_id`: one platform event, one fact (guarantee 2). */
  readonly dedupKey: string;
  readonly tenant: string;
  readonly orderNumber: string;
  /** `updatedAt` as it came. */
  readonly updatedAt: string | null;
  /** The bytes of `data`, as received; null for a reading of the status alone. */
  readonly data: Uint8Array | null;
  /** The bytes of the envelope's `error`, as received. */
  readonly errorBytes: Uint8Array | null;
}

export type NotificationReading =
  | { readonly kind: 'fact'; readonly fact: NewFact }
  | { readonly kind: 'skip'; readonly why: string }
  | { readonly kind: 'dead-letter'; readonly code: ReasonCode; readonly reason: Sentences };

/** What stands beside the envelope. */
export interface NotificationHeaders {
  readonly tenant: string;
  readonly id: string | undefined;
  readonly traceparent: string;
}

/**
 * An order notification as a fact. Event names decide nothing but whether a refusal is meant: unknown names are judged
 * by their fields (rule 5). An `Operation_Failed` without an order's number is about something else and is skipped
 * (rule 6).
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
      hash: createHash('sha256').update(dataBytes).digest('hex'),
      data: dataBytes,
      errorBytes,
      traceparent: headers.traceparent,
    },
  };
}

/**
 * An order's number as canonical text; null for what is none, or is too large for the integer that events have for it.
 */
export function readOrderNumber(value: JsonValue | undefined): string | null {
  const text = orderNumberText(value);
  return text !== null && Number.isSafeInteger(Number(text)) ? text : null;
}

function stateOf(data: JsonRecord): Pick<NewFact, 'status' | 'updatedAt' | 'ticks' | 'orderId' | 'hasItems'> {
  return {
    status: statusCode(data['status']),
    updatedAt: textOf(data['updatedAt']),
    ticks: platformMoment(data['updatedAt'])?.ticks ?? null,
    orderId: textOf(data['id']),
    hasItems: Array.isArray(data['items']),
  };
}

/**
 * A status as the platform writes it, an integer; its text is taken as well. Larger numbers than a status can be are
 * none.
 */
function statusCode(value: JsonValue | undefined): number | null {
  const code = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof code === 'number' && Number.isInteger(code) && Math.abs(code) < 1_000_000_000 ? code : null;
}

/** Text that can be stored and compared; null for anything else. */
function textOf(value: JsonValue | undefined): string | null {
  return isIdentityText(value) ? value : null;
}
