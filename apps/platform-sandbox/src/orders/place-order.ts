import { ORDER_STATUSES, PLACED } from './order-status.ts';
import { moveTo } from './order-transitions.ts';
import type { CheckoutTerms, DeliveryType, DeliveryWindow, Order, OrderLine, Origin, Payment } from './order.ts';
import type { Ticks } from '../values/local-time.ts';

export interface Checkout {
  readonly number: number;
  readonly contractAccountId: string;
  readonly deliveryType: DeliveryType;
  readonly window: DeliveryWindow;
  readonly origin: Origin;
  readonly terms: CheckoutTerms;
  readonly lines: readonly OrderLine[];
  readonly now: Ticks;
  readonly newGuid: () => string;
}

/** An order that is placed and not paid (100). */
export function placeOrder(checkout: Checkout): Order {
  const { number, contractAccountId, deliveryType, window, origin, terms, lines, now, newGuid } = checkout;
  return {
    number,
    id: newGuid(),
    contractAccountId,
    status: PLACED,
    createdAt: now,
    updatedAt: now,
    statusHistory: [{ status: PLACED, at: now }],
    isRecalculated: false,
    deliveryType,
    window,
    origin,
    lines,
    ...terms,
    finalPriceCents: null,
    invoice: null,
    invoiceFile: null,
    ids: {
      user: newGuid(),
      address: newGuid(),
      acceptedDetails: newGuid(),
      payment: newGuid(),
      transaction: newGuid(),
      acquirerTransaction: newGuid(),
    },
  };
}

/** The order after the payment provider's decision: approved 300, refused 250, pending unchanged. */
export function afterPayment(order: Order, payment: Payment, now: Ticks): Order {
  if (payment === 'approved') return moveTo(order, ORDER_STATUSES.PAYMENT_APPROVED, now);
  return payment === 'refused' ? moveTo(order, ORDER_STATUSES.PAYMENT_ERROR, now) : order;
}
