import type { OrRefused } from '../core/core-error.ts';
import { isSameInvoice, type Invoice } from '../invoices/invoice.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import { laterThan, type Ticks } from '../values/local-time.ts';
import { ITEMS_CHANGED, ORDER_STATUSES, statusDefinition, statusName } from './order-status.ts';
import type { Order } from './order.ts';

/*
 *            approved
 *   100 ────────────────▶ 300 ──▶ 400, 350           PATCH, from any paid status that is not over
 *    │       refused
 *    └──────────────────▶ 250     any ──▶ 500, 600, 700, 900, 1000        PATCH
 *
 *                                 platform: 750 ──▶ 800 ──▶ 1100 ──▶ 1200
 *
 * The document's table takes 500 to 1000 by PATCH, and picked items by PUT, from any status; the switch `unpaidOrOver`
 * has both refused before payment (100, 250) and once an order is cancelled, returned or refunded (750 800 1000 1100
 * 1200), as 400 and 350 always are. 1300 is notified, and is nobody's status.
 */

/** A refusal repeats no more of a name that is no status. */
const LONGEST_NAME_SHOWN = 100;

/** What the core has found out about an order that it is to change: the order, or why not. */
export type Changeable = OrRefused<{ readonly kind: 'changeable'; readonly order: Order }>;

/** An order can be changed from its payment on until it is cancelled, returned or refunded. */
export function changeable(order: Order | undefined): Changeable {
  if (order === undefined) return refused(404, 'Order not found.');
  const { isUnpaid, isOver } = statusDefinition(order.status) ?? {};
  if (isUnpaid) return refused(409, `Order ${order.number} is not paid.`);
  if (isOver) {
    return refused(409, `Order ${order.number} in status ${statusName(order.status)} cannot be changed.`);
  }
  return { kind: 'changeable', order };
}

/**
 * What the document's table takes from any status; the switch `unpaidOrOver` has it refused where {@link changeable}
 * refuses.
 */
export function changeableFromAny(
  order: Order | undefined,
  { unpaidOrOver }: Pick<Behaviour, 'unpaidOrOver'>,
): Changeable {
  return order === undefined || unpaidOrOver === 'refused' ? changeable(order) : { kind: 'changeable', order };
}

/**
 * Whether the core takes a status PATCH: what the document's table shows, and unless the switch `transitions` is
 * strict, every settable status of a paid order, the one that is already there included. The target is its name where
 * it is no status at all.
 */
export function settable(
  order: Order | undefined,
  target: number | string,
  behaviour: Pick<Behaviour, 'transitions' | 'unpaidOrOver'>,
): Changeable {
  if (order === undefined) return changeable(order);
  if (typeof target === 'string') return refused(400, `There is no status ${target.slice(0, LONGEST_NAME_SHOWN)}.`);
  const patch = statusDefinition(target)?.patch;
  if (patch === undefined) return refused(400, `Status ${statusName(target)} cannot be set by this operation.`);
  if (patch === 'from any') return changeableFromAny(order, behaviour);
  const verdict = changeable(order);
  if (verdict.kind === 'refused' || behaviour.transitions === 'lenient' || isShown(order, target)) return verdict;
  return refused(409, `Order ${order.number} cannot go from ${statusName(order.status)} to ${statusName(target)}.`);
}

/**
 * The rows of the document's table for the two statuses that are not taken from anywhere (docs/platform.md,
 * "Transitions shown").
 */
function isShown({ status, invoice, invoiceFile }: Order, target: number): boolean {
  if (target === ORDER_STATUSES.ORDER_BEING_PREPARED) return status === ORDER_STATUSES.PAYMENT_APPROVED;
  return status !== ORDER_STATUSES.ORDER_INVOICED && invoice !== null && invoiceFile !== null;
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

/**
 * Whether an order has all that makes it invoiced, and stands where that makes it 350 (docs/platform.md, "Transitions
 * shown").
 */
export function becomesInvoiced({ status, invoice, invoiceFile }: Order): boolean {
  const isPreparing = status === ORDER_STATUSES.PAYMENT_APPROVED || status === ORDER_STATUSES.ORDER_BEING_PREPARED;
  return isPreparing && invoice !== null && invoiceFile !== null;
}

/**
 * The order after a change of status, or after one that leaves it as it is (1300). `updatedAt` rises strictly in both
 * cases.
 */
export function moveTo(order: Order, status: number, now: Ticks): Order {
  const updatedAt = laterThan(order.updatedAt, now);
  if (status === ITEMS_CHANGED) return { ...order, updatedAt };
  return { ...order, status, updatedAt, statusHistory: [...order.statusHistory, { status, at: updatedAt }] };
}

export function canBeCancelled({ status }: Order): boolean {
  return statusDefinition(status)?.isCancellable === true;
}

function refused(statusCode: number, detail: string): Changeable {
  return { kind: 'refused', refusal: { statusCode, detail, violations: [] } };
}
