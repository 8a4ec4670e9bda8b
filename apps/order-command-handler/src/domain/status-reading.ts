import { createHash } from 'node:crypto';
import { platformMoment } from '@gondola/shared/time';
import type { OrderFact } from './order-fact.ts';
import type { NewFact } from './read-notification.ts';

/** A reading of `GET status` as a fact: the state at the time of asking, and newer than everything known then. */
export function statusReadingFact(reading: {
  readonly tenant: string;
  readonly orderNumber: string;
  readonly status: number;
  /** RFC 3339. */
  readonly askedAt: string;
  readonly known: readonly Pick<OrderFact, 'ticks'>[];
  readonly traceparent: string | null;
}): NewFact {
  const { tenant, orderNumber, status, askedAt, traceparent } = reading;
  const key = `${tenant}:read:${orderNumber}:status:${askedAt}:${status}`;
  const askedTicks = platformMoment(askedAt)?.ticks ?? 0n;
  const ticks = reading.known.reduce((latest, fact) => maxOf(latest, (fact.ticks ?? -1n) + 1n), askedTicks);
  return {
    dedupKey: key,
    tenant,
    orderNumber,
    source: 'read',
    eventType: 'GET status',
    failure: false,
    operationId: null,
    status,
    updatedAt: askedAt,
    ticks,
    orderId: null,
    hasItems: false,
    hash: createHash('sha256').update(key).digest('hex'),
    data: null,
    errorBytes: null,
    traceparent,
  };
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
