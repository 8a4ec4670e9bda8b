import { FactData } from '../facts/fact-data.ts';
import type { ReadAnswer, Unavailable } from '@gondola/platform-client/answers';
import { parseRecord } from '@gondola/shared/json/json-digits';
import { isSameMoney } from '@gondola/shared/units-and-money/money';
import type { NewFact } from '../facts/read-notification.ts';
import type { LoadedLane } from './load-order-lanes.service.ts';
import { statusOf } from '../facts/order-state.ts';
import { partsOf } from '../orders/published-state.ts';
import type { Payload, ShownStatus } from '../platform/order-calls.ts';
import { layOver } from '../facts/known-data.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { createHash } from 'node:crypto';
import { platformMoment } from '@gondola/shared/time';
import { type OrderFact, PAYLOAD_READ } from '../facts/order-fact.ts';

/** Knowledge of an order that is read. */
type KnownOrder = Pick<LoadedLane, 'lane' | 'orderNumber' | 'state' | 'data' | 'values' | 'finalPrice'>;

/** Time of a read by Gondola's clock, RFC 3339, and its trace. */
export interface Asked {
  readonly at: string;
  readonly traceparent: string;
}

/** An answer as a fact; null for one that says nothing new. */
export function newFact(
  order: KnownOrder,
  answer: Exclude<ReadAnswer<ShownStatus | Payload>, Unavailable>,
  asked: Asked,
): NewFact | null {
  if (answer.kind !== 'found') return null;
  const { value } = answer;
  return 'data' in value ? payloadFact(order, value, asked) : statusFact(order, value, asked);
}

/** Null for a known status: as a fact, a late read would only look newer than its successors. */
function statusFact(order: KnownOrder, { status, beganAtMs }: ShownStatus, asked: Asked): NewFact | null {
  const isKnown = order.state !== null && statusOf(order.state) === status;
  return isKnown ? null : readingFact(order, { status, beganAtMs, asked });
}

/** Null for a payload with known values and a known status. */
function payloadFact(order: KnownOrder, payload: Payload, asked: Asked): NewFact | null {
  const { state, finalPrice } = order;
  const { data, price, status, beganAtMs } = payload;
  const isPriceKnown = price === null || isSameMoney(price, finalPrice ?? undefined);
  const isStatusKnown = status === null || (state !== null && statusOf(state) === status);
  if (isPriceKnown && isStatusKnown && areValuesKnown(order, data)) return null;
  return readingFact(order, { status: isStatusKnown ? null : status, payload, beganAtMs, asked });
}

/** A read as a fact, whether or not it says anything new. */
export function readingFact(
  { lane: { tenant }, orderNumber, state }: KnownOrder,
  read: Pick<StatusReading, 'status' | 'beganAtMs' | 'payload'> & { readonly asked: Asked },
): NewFact {
  if (orderNumber === null) throw new Error('Only a lane with an order number can be read');
  const { status, payload, beganAtMs, asked } = read;
  return statusReadingFact({
    tenant,
    orderNumber,
    status,
    askedAt: asked.at,
    beganAtMs,
    known: state?.facts ?? [],
    traceparent: asked.traceparent,
    ...(payload !== undefined && { payload }),
  });
}

function areValuesKnown({ data: known, values }: KnownOrder, payload: Uint8Array): boolean {
  const read = parseRecord(payload);
  if (read === null || known === null || values === null) return read === null;
  const parts = partsOf(readOrderValues(layOver(known, read), values.orderNumber));
  const knownParts = partsOf(values);
  return Object.entries(parts).every(([name, hash]) => knownParts[name] === hash);
}

/** A read of the status or of the payload. */
export interface StatusReading {
  readonly tenant: string;
  readonly orderNumber: string;
  /** Null for a payload with the known status. */
  readonly status: number | null;
  /** The payload with its order's GUID; absent for a read of the status. */
  readonly payload?: { readonly data: Uint8Array; readonly orderId: string | null };
  /** Time of the call by Gondola's clock, RFC 3339. */
  readonly askedAt: string;
  /** Time of the call by the platform's clock, in milliseconds since 1970; null if unknown. */
  readonly beganAtMs: number | null;
  /** Facts known at that time. */
  readonly known: readonly Pick<OrderFact, 'ticks'>[];
  readonly traceparent: string;
}

/**
 * Makes a read of `GET status` a fact. The answer has no date, so it gets one: newer than all facts known
 * at the call, and not older than the call by the platform's clock, which the answer names. Gondola's clock does not
 * count: where it is ahead, a read would look newer than a change that follows it. Once stored, it is a fact like any
 * other (guarantee 4).
 */
export function statusReadingFact({
  tenant,
  orderNumber,
  status,
  askedAt,
  beganAtMs,
  known,
  traceparent,
  payload,
}: StatusReading): NewFact {
  const key = `${tenant}:read:${orderNumber}:${payload === undefined ? 'status' : 'payload'}:${askedAt}:${status}`;
  const asked = beganAtMs === null ? 0n : (platformMoment(new Date(beganAtMs).toISOString())?.ticks ?? 0n);
  const ticks = known.reduce((latest, fact) => maxOf(latest, (fact.ticks ?? -1n) + 1n), asked);
  return {
    dedupKey: key,
    tenant,
    orderNumber,
    source: 'read',
    eventType: payload === undefined ? 'GET status' : PAYLOAD_READ,
    failure: false,
    operationId: null,
    status,
    updatedAt: askedAt,
    ticks,
    orderId: payload?.orderId ?? null,
    hasItems: false,
    hash: createHash('sha256').update(key).digest('hex'),
    data: payload === undefined ? null : new FactData(payload.data),
    errorBytes: null,
    traceparent,
  };
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
