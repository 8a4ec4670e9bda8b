import type { OrRefused } from '../values/refusal.ts';
import { isSameInvoice, type Invoice } from './invoice.ts';
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
 * By the document's table, a PATCH sets 500 to 1000, and a PUT reports picked items, from any status. The switch
 * `unpaidOrOver` refuses both before payment (100, 250) and after an order is cancelled, returned or refunded (750
 * 800 1000 1100 1200), where 400 and 350 are always refused. 1300 is notified, and is never an order's status.
 */

/** Most characters of an unknown status name that a refusal repeats. */
const LONGEST_NAME_SHOWN = 100;

/** The order to change, or the reason for a refusal. */
export type Changeable = OrRefused<{ readonly kind: 'changeable'; readonly order: Order }>;

/** An order can be changed from its payment until it is cancelled, returned or refunded. */
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
 * Changes that the document's table allows from any status; with the switch `unpaidOrOver` they are refused where
 * {@link changeable} refuses.
 */
export function changeableFromAny(
  order: Order | undefined,
  { unpaidOrOver }: Pick<Behaviour, 'unpaidOrOver'>,
): Changeable {
  return order === undefined || unpaidOrOver === 'refused' ? changeable(order) : { kind: 'changeable', order };
}

/**
 * Decides whether the core accepts a status PATCH: the transitions of the document's table and, unless the switch
 * `transitions` is strict, every settable status of a paid order, its current one included. The target is a name if
 * it is no status.
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
 * Rows of the document's table for the two statuses that are not allowed from every status (docs/platform.md,
 * "Transitions shown").
 */
function isShown({ status, invoice, invoiceFile }: Order, target: number): boolean {
  if (target === ORDER_STATUSES.ORDER_BEING_PREPARED) return status === ORDER_STATUSES.PAYMENT_APPROVED;
  return status !== ORDER_STATUSES.ORDER_INVOICED && invoice !== null && invoiceFile !== null;
}

/** Decides whether the core accepts a cancellation. */
export function cancellable(order: Order | undefined): Changeable {
  if (order === undefined) return refused(404, 'Order not found.');
  if (canBeCancelled(order)) return { kind: 'changeable', order };
  return refused(409, `Order ${order.number} in status ${statusName(order.status)} cannot be cancelled.`);
}

/** Decides whether the core accepts the registration of an invoice: another one only by the switch. */
export function invoiceable(
  order: Order | undefined,
  invoice: Invoice,
  { secondInvoice }: Pick<Behaviour, 'secondInvoice'>,
): Changeable {
  if (secondInvoice === 'refused' && order?.invoice && !isSameInvoice(order.invoice, invoice)) {
    return refused(409, `Order ${order.number} has invoice ${order.invoice.number} already.`);
  }
  return changeable(order);
}

/**
 * True if an order has everything that an invoiced order needs, and a status that then becomes 350
 * (docs/platform.md, "Transitions shown").
 */
export function becomesInvoiced({ status, invoice, invoiceFile }: Order): boolean {
  const isPreparing = status === ORDER_STATUSES.PAYMENT_APPROVED || status === ORDER_STATUSES.ORDER_BEING_PREPARED;
  return isPreparing && invoice !== null && invoiceFile !== null;
}

/**
 * The order after a change of status, or after a change that leaves it (1300). `updatedAt` rises strictly in both
 * cases.
 */
export function moveTo(order: Order, status: number, now: Ticks): Order {
  const updatedAt = laterThan(order.updatedAt, now);
  if (status === ITEMS_CHANGED) return { ...order, updatedAt, isRecalculated: true };
  const statusHistory = [...order.statusHistory, { status, at: updatedAt }];
  return { ...order, status, updatedAt, statusHistory, isRecalculated: false };
}

/** True if a shop may put an order back from a new status to its present one: both are paid and not over. */
export function mayReopen({ status }: Order, next: number): boolean {
  return status !== next && [status, next].every(isOpen);
}

function isOpen(status: number): boolean {
  const { isUnpaid, isOver } = statusDefinition(status) ?? {};
  return isUnpaid !== true && isOver !== true;
}

export function canBeCancelled({ status }: Order): boolean {
  return statusDefinition(status)?.isCancellable === true;
}

function refused(statusCode: number, detail: string): Changeable {
  return { kind: 'refused', refusal: { statusCode, detail, violations: [] } };
}
