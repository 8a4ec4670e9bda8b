import { platformMoment } from '@gondola/shared/time';
import { type OrderFact, ORDER_UPDATED } from '../../src/facts/order-fact.ts';

let stored = 0;

/** A state fact as an `Order_Updated` gives it; each has a higher id than the one made before it. */
export function stateFact(status: number, updatedAt: string | null, more: Partial<OrderFact> = {}): OrderFact {
  stored += 1;
  return {
    id: String(stored),
    source: 'notification',
    eventType: ORDER_UPDATED,
    failure: false,
    operationId: `op-${stored}`,
    status,
    ticks: updatedAt === null ? null : (platformMoment(updatedAt)?.ticks ?? null),
    hash: `hash-${status}-${updatedAt}`,
    orderId: 'order-guid',
    hasItems: true,
    error: null,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ...more,
  };
}

/** The platform's no to a status change. */
export function refusalFact(operationId: string, more: Partial<OrderFact> = {}): OrderFact {
  return stateFact(300, null, {
    eventType: 'Order_StatusUpdateFailed',
    failure: true,
    operationId,
    hasItems: false,
    error: { statusCode: 422, message: 'no' },
    ...more,
  });
}

/** A local time of the platform, `minute` minutes after ten. */
export function at(minute: number): string {
  return `2026-11-20T10:${String(minute).padStart(2, '0')}:00`;
}
