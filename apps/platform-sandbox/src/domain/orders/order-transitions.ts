import type { Behaviour } from '../behaviour.ts';
import type { CoreRefusal } from '../core-error.ts';
import { laterThan, type Ticks } from '../local-time.ts';
import { isSameInvoice, type Invoice } from './invoice.ts';
import { ITEMS_CHANGED, ORDER_STATUSES, PLACED, statusName } from './order-status.ts';
import type { Order } from './order.ts';

/*
 *            approved            ┌────────────── PATCH, from any paid status ──────────────┐
 *   100 ────────────────▶ 300 ──▶│ 400  350  500  600  700  900   (any of them to any other) │──▶ 1000
 *    │       refused             └────────────────────────────────────────────────────────┘
 *    └──────────────────▶ 250                 platform: 750 ──▶ 800 ──▶ 1100 ──▶ 1200
 *
 * A PATCH is refused before payment (100, 250) and once an order is cancelled, returned or refunded (750 800 1000 1100 1200).
 * 1300 is told, and is nobody's status.
 */

const SETTABLE_BY_PATCH: ReadonlySet<number> = new Set([
  ORDER_STATUSES.ORDER_INVOICED,
  ORDER_STATUSES.ORDER_BEING_PREPARED,
  ORDER_STATUSES.READY_FOR_PICKUP_OR_DELIVERY,
  ORDER_STATUSES.SHIPPED,
  ORDER_STATUSES.DELIVERED,
  ORDER_STATUSES.DELIVERY_FAILED,
  ORDER_STATUSES.ORDER_RETURNED,
]);

const OVER: ReadonlySet<number> = new Set([
  ORDER_STATUSES.ORDER_CANCELLATION_ANALYSIS,
  ORDER_STATUSES.ORDER_CANCELLED,
  ORDER_STATUSES.ORDER_RETURNED,
  ORDER_STATUSES.REFUND_IN_PROGRESS,
  ORDER_STATUSES.REFUND_COMPLETED,
]);

/** What the core has found out about an order that it is to change: the order, or why not. */
export type Changeable =
  | { readonly kind: 'changeable'; readonly order: Order }
  | { readonly kind: 'refused'; readonly refusal: CoreRefusal };

/** An order can be changed from its payment on until it is cancelled, returned or refunded. */
export function changeable(order: Order | undefined): Changeable {
  if (order === undefined) return refused(404, 'Order not found.');
  if (order.status === PLACED || order.status === ORDER_STATUSES.PAYMENT_ERROR) {
    return refused(409, `Order ${order.number} is not paid.`);
  }
  if (OVER.has(order.status)) {
    return refused(409, `Order ${order.number} in status ${statusName(order.status)} cannot be changed.`);
  }
  return { kind: 'changeable', order };
}

/** Whether the core takes a status PATCH. Lenient, it takes every settable status, the one that is already there included. */
export function settable(
  order: Order | undefined,
  target: number,
  { transitions }: Pick<Behaviour, 'transitions'>,
): Changeable {
  if (order && !SETTABLE_BY_PATCH.has(target)) {
    return refused(400, `Status ${statusName(target)} cannot be set by this operation.`);
  }
  const verdict = changeable(order);
  if (verdict.kind === 'refused' || transitions === 'lenient' || isShown(verdict.order, target)) return verdict;
  const { number, status } = verdict.order;
  return refused(409, `Order ${number} cannot go from ${statusName(status)} to ${statusName(target)}.`);
}

/** The rows of the document's table for a PATCH, and nothing else (platform-api.md: Transitions shown). */
function isShown({ status, invoice, invoiceFile }: Order, target: number): boolean {
  if (status === target) return false;
  if (target === ORDER_STATUSES.ORDER_BEING_PREPARED) return status === ORDER_STATUSES.PAYMENT_APPROVED;
  if (target === ORDER_STATUSES.ORDER_INVOICED) return invoice !== null && invoiceFile !== null;
  return true;
}

/** Whether the core takes a cancellation. */
export function cancellable(order: Order | undefined): Changeable {
  if (order === undefined) return refused(404, 'Order not found.');
  if (canBeCancelled(order)) return { kind: 'changeable', order };
  return refused(409, `Order ${order.number} in status ${statusName(order.status)} cannot be cancelled.`);
}

/** Whether the core takes the registration of an invoice: one that is there already only if it is the same. */
export function invoiceable(order: Order | undefined, invoice: Invoice): Changeable {
  if (order?.invoice && !isSameInvoice(order.invoice, invoice)) {
    return refused(409, `Order ${order.number} has invoice ${order.invoice.number} already.`);
  }
  return changeable(order);
}

/** Whether an order has all that makes it invoiced, and stands where that makes it 350 (platform-api.md: Transitions shown). */
export function becomesInvoiced({ status, invoice, invoiceFile }: Order): boolean {
  const isPreparing = status === ORDER_STATUSES.PAYMENT_APPROVED || status === ORDER_STATUSES.ORDER_BEING_PREPARED;
  return isPreparing && invoice !== null && invoiceFile !== null;
}

/** The order after a change of status, or after a change that keeps it (1300). `updatedAt` rises strictly in both cases. */
export function moveTo(order: Order, status: number, now: Ticks): Order {
  const updatedAt = laterThan(order.updatedAt, now);
  if (status === ITEMS_CHANGED) return { ...order, updatedAt };
  return { ...order, status, updatedAt, statusHistory: [...order.statusHistory, { status, at: updatedAt }] };
}

/** While the shopper or the merchant may still cancel. */
export function canBeCancelled({ status }: Order): boolean {
  const cancellable: readonly number[] = [
    PLACED,
    ORDER_STATUSES.PAYMENT_APPROVED,
    ORDER_STATUSES.ORDER_BEING_PREPARED,
    ORDER_STATUSES.ORDER_INVOICED,
    ORDER_STATUSES.READY_FOR_PICKUP_OR_DELIVERY,
  ];
  return cancellable.includes(status);
}

function refused(statusCode: number, detail: string): Changeable {
  return { kind: 'refused', refusal: { statusCode, detail, violations: [] } };
}
