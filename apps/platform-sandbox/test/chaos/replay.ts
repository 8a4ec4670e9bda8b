import type { Evidence, OperationRow } from './evidence.ts';
import {
  placed,
  statusOf,
  takeOperation,
  totalCents,
  wayBackOf,
  type ModelOrder,
  type OrderOperation,
} from './model-orders.ts';
import { takeItem, type ModelProduct } from './model-products.ts';
import type { Line } from './planned-orders.ts';
import type { Item } from './planned-products.ts';

/** An expected notification: of this operation, or of one of the platform's own (null). */
export interface Notified {
  readonly operationId: string | null;
  readonly eventType: string;
  /** Reference of a product, or number of an order. */
  readonly about: string;
  /** Status of an order. */
  readonly status: number | null;
  /** Total of an order whose values are notified. */
  readonly totalCents: number | null;
}

/** Result of the accepted operations when they are taken one after the other. */
export interface Replay {
  readonly notified: readonly Notified[];
  readonly products: ReadonlyMap<string, ModelProduct>;
  readonly orders: ReadonlyMap<number, ModelOrder>;
  /** Changes that the platform had to queue: `<order> <from> <to>`. */
  readonly moves: readonly string[];
  /** Orders that the platform put back to the status before, each as often as it did. */
  readonly reopened: readonly number[];
}

export function replay({ operations, placed: orders }: Pick<Evidence, 'operations' | 'placed'>): Replay {
  const state = new State();
  const numbers = new Map(orders.map(({ id, number }) => [id, number]));
  for (const order of orders) {
    const model = placed(order);
    state.orders.set(order.number, model);
    if (order.payment === 'pending') continue;
    const notified = { operationId: null, eventType: 'Order_Updated', about: String(order.number) };
    state.notified.push({ ...notified, status: statusOf(model), totalCents: totalCents(model) });
  }
  for (const operation of operations) {
    if (operation.directive.silent === true) continue;
    if (operation.kind === 'product') replayItem(state, operation);
    else replayOrder(state, operation, numbers);
  }
  return state;
}

/** How often faults that change the order of things did so: to strike is not enough. */
export function effectsIn(evidence: Evidence): Readonly<Record<'overtaken' | 'reopened', number>> {
  return { overtaken: overtakenIn(evidence.operations), reopened: replay(evidence).reopened.length };
}

/** Late operations that the core took after a newer one. */
function overtakenIn(operations: readonly OperationRow[]): number {
  let newest = 0;
  let overtaken = 0;
  for (const { seq, directive } of operations) {
    if (directive.lateMs !== undefined && seq < newest) overtaken += 1;
    newest = Math.max(newest, seq);
  }
  return overtaken;
}

class State {
  readonly notified: Notified[] = [];
  readonly products = new Map<string, ModelProduct>();
  readonly orders = new Map<number, ModelOrder>();
  readonly moves: string[] = [];
  /** Queued changes back to the status before; some find that the order has gone on. */
  readonly waysBack = new Set<string>();
  readonly reopened: number[] = [];
}

function replayItem(state: State, { operationId, payload, directive }: OperationRow): void {
  const item = JSON.parse(payload) as Item;
  const about = String(item['externalReference']);
  const outcome = takeItem(item, state.products.get(about), directive.refuseStatus !== undefined);
  if (outcome.product) state.products.set(about, outcome.product);
  state.notified.push({ operationId, eventType: outcome.eventType, about, status: null, totalCents: null });
}

function replayOrder(state: State, row: OperationRow, numbers: ReadonlyMap<string, number>): void {
  const { number, operation } = orderOperationOf(row, numbers);
  const before = state.orders.get(number);
  if (before === undefined)
    throw new Error(`operation ${row.operationId} is about order ${number}, which nobody placed`);
  const { order, notifies, move } = takeOperation(before, operation, row.directive.refuseStatus !== undefined);
  state.orders.set(number, order);
  const wayBack = row.directive.reopenMs === undefined ? null : wayBackOf(before, order);
  for (const queued of [move, wayBack]) if (queued) state.moves.push(moveKey(number, queued));
  if (wayBack) state.waysBack.add(moveKey(number, wayBack));
  if (notifies === null) return;
  if (operation.kind === 'order-move' && state.waysBack.has(moveKey(number, operation))) state.reopened.push(number);
  const cents = notifies.eventType === 'Order_Updated' ? totalCents(order) : null;
  state.notified.push({ operationId: row.operationId, ...notifies, about: String(number), totalCents: cents });
}

function moveKey(number: number, { from, to }: { readonly from: number; readonly to: number }): string {
  return `${number} ${from} ${to}`;
}

interface OrderPayload {
  readonly orderNumber: number;
  readonly orderId: string;
  readonly status: number;
  readonly from: number;
  readonly to: number;
  readonly invoice: { readonly number: string };
  readonly body: { readonly finalOrderPrice: number; readonly items: readonly PickedItem[] };
}

interface PickedItem {
  readonly skuExternalReference: string;
  readonly quantity: number;
  readonly price: number;
}

function orderOperationOf(
  { kind, payload }: OperationRow,
  numbers: ReadonlyMap<string, number>,
): { number: number; operation: OrderOperation } {
  const read = JSON.parse(payload) as OrderPayload;
  const number = read.orderNumber ?? numbers.get(read.orderId) ?? 0;
  const { status, from, to } = read;
  switch (kind) {
    case 'order-status':
      return { number, operation: { kind, status } };
    case 'order-cancellation':
    case 'invoice-file':
      return { number, operation: { kind } };
    case 'order-picking': {
      const finalPriceCents = Math.round(read.body.finalOrderPrice * 100);
      return { number, operation: { kind, lines: read.body.items.map(lineOf), finalPriceCents } };
    }
    case 'invoice-registration':
      return { number, operation: { kind, number: read.invoice.number } };
    case 'order-move':
      return { number, operation: { kind, from, to } };
    default:
      throw new Error(`these runs make no operation of kind ${kind}`);
  }
}

function lineOf({ skuExternalReference, quantity, price }: PickedItem): Line {
  return { skuExternalReference, quantity: String(quantity), unitPriceCents: Math.round(price * 100) };
}
