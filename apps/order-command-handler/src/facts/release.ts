import type { NewFact, OrderFact } from './order-fact.ts';

/**
 * The release of an order without a 300, as a fact (rule 8): the view stays a function of the set of
 * facts, and a late 300 replaces the release.
 */
export function releaseFact(traceparent: string): OrderFact {
  return {
    id: '0',
    source: 'release',
    eventType: 'ReleaseOrder',
    failure: false,
    operationId: null,
    status: null,
    ticks: null,
    hash: 'release',
    orderId: null,
    hasItems: false,
    error: null,
    traceparent,
  };
}

/** The release as it is stored, once per order. */
export function newReleaseFact(
  fact: OrderFact,
  order: { readonly tenant: string; readonly orderNumber: string },
): NewFact {
  const { id: _notStored, error: _none, ...rest } = fact;
  const dedupKey = `${order.tenant}:release:${order.orderNumber}`;
  return { ...rest, ...order, dedupKey, updatedAt: null, content: null, errorBytes: null };
}
