import { createHash } from 'node:crypto';
import { platformMoment } from '@gondola/shared/time';
import { type OrderFact, PAYLOAD_READ } from '../facts/order-fact.ts';
import type { NewFact } from '../facts/read-notification.ts';

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
    data: payload?.data ?? null,
    errorBytes: null,
    traceparent,
  };
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
