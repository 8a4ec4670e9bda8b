import type { Core } from '../core/core.service.ts';
import type { Operation } from '../core/operation.ts';
import type { Files } from '../files/files.service.ts';
import { FILE_TYPES, type StoredFile } from '../files/stored-file.ts';
import { type Invoice, isSameInvoice } from '../orders/invoice.ts';
import { ITEMS_CHANGED, ORDER_STATUSES } from '../orders/order-status.ts';
import {
  becomesInvoiced,
  cancellable,
  changeable,
  changeableFromAny,
  invoiceable,
  mayReopen,
  settable,
  type Changeable,
} from '../orders/order-transitions.ts';
import type { Order } from '../orders/order.ts';
import type { OrderKey, Orders } from '../orders/orders.service.ts';
import { readPicking, type PickingReport } from '../picking/picking-report.ts';
import { recalculateOrder } from '../picking/recalculate-order.ts';
import type { CatalogSku } from '../products/product.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import { keyOf, numberOf, parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { laterThan, ticksOf } from '../values/local-time.ts';
import { refusedOnDemand, type CoreRefusal } from '../values/refusal.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';
import type { MoveOrder, NextMove } from './move-order.service.ts';

export interface OrderStatusPatch {
  readonly orderNumber: number;
  /** Code of the status, or the given name if it is no status. */
  readonly status: number | string;
}

export interface Cancellation {
  readonly orderNumber: number;
}

export type PickingPayload = { readonly orderNumber: number; readonly body: Json };

export interface InvoiceRegistration {
  readonly orderNumber: number;
  readonly invoice: Invoice;
}

export interface InvoiceAttachment {
  readonly orderId: string;
  readonly file: StoredFile;
}

/** One accepted operation on one order. */
interface OrderChange {
  readonly operation: Operation;
  readonly order: OrderKey;
  readonly failure: 'Order_StatusUpdateFailed' | 'Order_CancelFailed' | 'Operation_Failed';
  /** Path of the core's own route below the order. */
  readonly route: string;
}

export interface OrderChangeServices {
  readonly core: Core;
  readonly orders: Orders;
  readonly products: Products;
  readonly files: Files;
  readonly moveOrder: MoveOrder;
  readonly notifier: Notifier;
  readonly switches: SwitchBoard;
  readonly clock: Clock;
}

/** Has the core take changes of an order by a call or by the platform itself. */
export function takeOrderChanges(services: OrderChangeServices): void {
  const changes = new OrderChanges(services);
  const { core } = services;
  core.take('order-status', (operation) => changes.setStatus(operation));
  core.take('order-cancellation', (operation) => changes.cancel(operation));
  core.take('order-move', (operation) => changes.moveByPlatform(operation));
  core.take('order-picking', (operation) => changes.applyPicking(operation));
  core.take('invoice-registration', (operation) => changes.registerInvoice(operation));
  core.take('invoice-file', (operation) => changes.attachInvoiceFile(operation));
}

class OrderChanges {
  constructor(private readonly services: OrderChangeServices) {}

  /** A status PATCH: notified as `Order_Updated` with its own operation id, or refused. */
  setStatus(operation: Operation): void {
    const { orderNumber: number, status } = JSON.parse(operation.payload) as OrderStatusPatch;
    const change = { operation, order: { number }, failure: 'Order_StatusUpdateFailed', route: 'status' } as const;
    const order = this.begin(change, (found) => settable(found, status, this.services.switches.behaviour));
    if (order === undefined || typeof status === 'string') return;
    const { moveOrder } = this.services;
    moveOrder.onItsWay(order, status, operation.operationId);
    const { reopenMs } = operation.directive;
    if (reopenMs !== undefined && mayReopen(order, status)) moveOrder.reopen(order, status, reopenMs);
  }

  /** A cancellation: 750 now and 800 later, or a refusal. */
  cancel(operation: Operation): void {
    const { orderNumber: number } = JSON.parse(operation.payload) as Cancellation;
    const change = { operation, order: { number }, failure: 'Order_CancelFailed', route: 'cancel' } as const;
    const order = this.begin(change, cancellable);
    const { ORDER_CANCELLATION_ANALYSIS } = ORDER_STATUSES;
    if (order) this.services.moveOrder.onItsWay(order, ORDER_CANCELLATION_ANALYSIS, operation.operationId);
  }

  /** A queued change of the platform itself; has no effect if the order has left the expected status. */
  moveByPlatform({ operationId, payload }: Operation): void {
    const { orderNumber: number, from, to } = JSON.parse(payload) as NextMove;
    const order = this.services.orders.find({ number });
    if (order?.status === from) this.services.moveOrder.onItsWay(order, to, operationId);
  }

  /** Picked items: lines, values and charge are recalculated and notified as 1300; the status stays. */
  applyPicking(operation: Operation): void {
    const { switches, clock, orders, moveOrder } = this.services;
    const payload = parseExact(operation.payload) as JsonObject;
    const number = numberOf(keyOf(payload, 'orderNumber')) ?? 0;
    // The platform delivers no failure event for a refused change of items.
    const change = { operation, order: { number }, failure: 'Operation_Failed', route: 'items' } as const;
    const order = this.begin(change, (found) => changeableFromAny(found, switches.behaviour));
    if (order === undefined) return;
    const reading = readPicking(keyOf(payload, 'body') ?? null, switches.behaviour.pickingKeys);
    const outcome =
      reading.kind === 'refused'
        ? reading
        : recalculateOrder(order, reading.report, this.catalogOf(order, reading.report), ticksOf(clock.now()));
    if (outcome.kind === 'refused') return this.refuse(change, order, outcome.refusal);
    orders.save(outcome.order);
    return moveOrder.notify(outcome.order, ITEMS_CHANGED, operation.operationId);
  }

  /** The shop's present data of the reported SKUs. */
  private catalogOf({ contractAccountId }: Order, { items }: PickingReport): Map<string, CatalogSku> {
    const known = new Map<string, CatalogSku>();
    for (const { skuExternalReference } of items) {
      const found = this.services.products.findSku(contractAccountId, skuExternalReference);
      if (found) known.set(skuExternalReference, found);
    }
    return known;
  }

  /** Stores without a notification; the same data again changes nothing, other data by the switch. */
  registerInvoice(operation: Operation): void {
    const { orderNumber: number, invoice } = JSON.parse(operation.payload) as InvoiceRegistration;
    const change = { operation, order: { number }, failure: 'Operation_Failed', route: 'invoice' } as const;
    const order = this.begin(change, (found) => invoiceable(found, invoice, this.services.switches.behaviour));
    if (order === undefined || (order.invoice !== null && isSameInvoice(order.invoice, invoice))) return;
    const registered = { ...invoice, transactionId: operation.operationId };
    this.storeInvoiced({ ...order, invoice: registered }, operation.operationId);
  }

  /** Stores without a notification; the newest file counts. */
  attachInvoiceFile(operation: Operation): void {
    const { files } = this.services;
    const { orderId: id, file } = JSON.parse(operation.payload) as InvoiceAttachment;
    const change = { operation, order: { id }, failure: 'Operation_Failed', route: 'invoice/file' } as const;
    const order = this.begin(change, changeable);
    if (order === undefined) return files.remove([file]);
    const place = { entityId: order.id, externalReference: String(order.number), displayOrder: null };
    files.attach(file.id, { fileType: FILE_TYPES.invoice, ...place });
    const uploads = (order.invoiceFile?.uploads ?? 0) + 1;
    return this.storeInvoiced({ ...order, invoiceFile: { ...file, uploads } }, operation.operationId);
  }

  /** The second of registration and file changes the order to 350; only this change is notified. */
  private storeInvoiced(order: Order, operationId: string): void {
    const { switches, moveOrder, orders, clock } = this.services;
    if (switches.behaviour.invoicedByItself && becomesInvoiced(order)) {
      moveOrder.to(order, ORDER_STATUSES.ORDER_INVOICED, operationId);
      return;
    }
    orders.save({ ...order, updatedAt: laterThan(order.updatedAt, ticksOf(clock.now())) });
  }

  /** The merchant's order if the core makes the change; undefined after a refusal. */
  private begin(change: OrderChange, judge: (order: Order | undefined) => Changeable): Order | undefined {
    const { contractAccountId, directive } = change.operation;
    const found = this.services.orders.find(change.order);
    const order = found?.contractAccountId === contractAccountId ? found : undefined;
    const demanded = refusedOnDemand(directive);
    const verdict: Changeable = demanded ? { kind: 'refused', refusal: demanded } : judge(order);
    if (verdict.kind === 'changeable') return verdict.order;
    this.refuse(change, order, verdict.refusal);
    return undefined;
  }

  /**
   * Notifies a refusal: the error is in the envelope, `data` names the order and its status; unknown values are
   * null.
   */
  private refuse(change: OrderChange, order: Order | undefined, refusal: CoreRefusal): void {
    const { operation, order: key, failure: eventType, route } = change;
    const data = {
      id: order?.id ?? ('id' in key ? key.id : null),
      number: 'number' in key ? key.number : (order?.number ?? null),
      status: order?.status ?? null,
    };
    const path = `orders/${'id' in key ? key.id : key.number}/${route}`;
    this.services.notifier.refuse(operation, { relatedEntity: 'Order', eventType, data, route: path }, refusal);
  }
}
