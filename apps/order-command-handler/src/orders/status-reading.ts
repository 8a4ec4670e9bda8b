import { createHash } from 'node:crypto';
import { platformMoment } from '@gondola/shared/time';
import { type OrderFact, PAYLOAD_READ } from '../notifications/order-fact.ts';
import type { NewFact } from '../notifications/read-notification.ts';

/** A status that was asked for, or a payload. */
export interface StatusReading {
  readonly tenant: string;
  readonly orderNumber: string;
  /** Null where a payload says no other status than is known. */
  readonly status: number | null;
  /** The payload, and the order's GUID in it; null for a reading of the status alone. */
  readonly payload?: { readonly data: Uint8Array; readonly orderId: string | null };
  /** When the question was sent, by our clock; RFC 3339. */
  readonly askedAt: string;
  /** The facts known at that time. */
  readonly known: readonly Pick<OrderFact, 'ticks'>[];
  readonly traceparent: string;
}

/**
 * How far our clock may be ahead of the platform's: a reading is dated by ours, and must not outlive a change that
 * follows it. 5 s in units of 100 ns.
 */
const CLOCK_ALLOWANCE_TICKS = 50_000_000n;

/**
 * A reading of `GET status` as a fact. The answer has no date, so it gets one: newer than everything that was known
 * when it was asked, and no older than the question, but for an allowance between the clocks. Once stored it is a fact
 * like any other (guarantee 4).
 */
export function statusReadingFact({
  tenant,
  orderNumber,
  status,
  askedAt,
  known,
  traceparent,
  payload,
}: StatusReading): NewFact {
  const key = `${tenant}:read:${orderNumber}:${payload === undefined ? 'status' : 'payload'}:${askedAt}:${status}`;
  const asked = (platformMoment(askedAt)?.ticks ?? 0n) - CLOCK_ALLOWANCE_TICKS;
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
