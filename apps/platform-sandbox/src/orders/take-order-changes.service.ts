import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import type { Operation } from '../core/operations.repository.ts';
import { Takes } from '../core/takes.decorator.ts';
import { readPicking, type PickingReport } from '../picking/picking-report.ts';
import { recalculateOrder, type CatalogSku } from '../picking/recalculate-order.ts';
import { ProductsRepository } from '../products/products.repository.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { keyOf, numberOf, parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { ticksOf } from '../values/local-time.ts';
import { MoveOrder, type NextMove } from './move-order.service.ts';
import { OrderChanges } from './order-changes.service.ts';
import { ITEMS_CHANGED, ORDER_STATUSES } from './order-status.ts';
import { cancellable, changeableFromAny, settable } from './order-transitions.ts';
import type { Order } from './order.ts';
import { OrdersRepository } from './orders.repository.ts';

export interface OrderStatusPatch {
  readonly orderNumber: number;
  /** Code of the status, or the given name if it is no status. */
  readonly status: number | string;
}

export interface Cancellation {
  readonly orderNumber: number;
}

export type PickingPayload = { readonly orderNumber: number; readonly body: Json };

/** Changes of an order by a call or by the platform itself. */
@Injectable()
export class TakeOrderChanges {
  constructor(
    private readonly changes: OrderChanges,
    private readonly moveOrder: MoveOrder,
    private readonly orders: OrdersRepository,
    private readonly products: ProductsRepository,
    private readonly switches: SwitchBoard,
    private readonly clock: Clock,
  ) {}

  /** A status PATCH: notified as `Order_Updated` with its own operation id, or refused. */
  @Takes({ kind: 'order-status', by: 'one' })
  async setStatus(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber: number, status } = JSON.parse(operation.payload) as OrderStatusPatch;
    const change = { operation, order: { number }, failure: 'Order_StatusUpdateFailed', route: 'status' } as const;
    const order = await this.changes.begin(tx, change, (found) => settable(found, status, this.switches.behaviour));
    if (order === undefined || typeof status === 'string') return;
    await this.moveOrder.onItsWay(tx, order, status, operation.operationId);
  }

  /** A cancellation: 750 now and 800 later, or a refusal. */
  @Takes({ kind: 'order-cancellation', by: 'one' })
  async cancel(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber: number } = JSON.parse(operation.payload) as Cancellation;
    const change = { operation, order: { number }, failure: 'Order_CancelFailed', route: 'cancel' } as const;
    const order = await this.changes.begin(tx, change, cancellable);
    const { ORDER_CANCELLATION_ANALYSIS } = ORDER_STATUSES;
    if (order) await this.moveOrder.onItsWay(tx, order, ORDER_CANCELLATION_ANALYSIS, operation.operationId);
  }

  /** A queued change of the platform itself; has no effect if the order has left the expected status. */
  @Takes({ kind: 'order-move', by: 'one' })
  async moveByPlatform(tx: Tx, { operationId, payload }: Operation): Promise<void> {
    const { orderNumber: number, from, to } = JSON.parse(payload) as NextMove;
    const order = await this.orders.lock({ number }, tx);
    if (order?.status === from) await this.moveOrder.onItsWay(tx, order, to, operationId);
  }

  /** Picked items: lines, values and charge are recalculated and notified as 1300; the status stays. */
  @Takes({ kind: 'order-picking', by: 'one' })
  async applyPicking(tx: Tx, operation: Operation): Promise<void> {
    const payload = parseExact(operation.payload) as JsonObject;
    const number = numberOf(keyOf(payload, 'orderNumber')) ?? 0;
    // The platform delivers no failure event for a refused change of items.
    const change = { operation, order: { number }, failure: 'Operation_Failed', route: 'items' } as const;
    const order = await this.changes.begin(tx, change, (found) => changeableFromAny(found, this.switches.behaviour));
    if (order === undefined) return;
    const reading = readPicking(keyOf(payload, 'body') ?? null, this.switches.behaviour.pickingKeys);
    const outcome =
      reading.kind === 'refused'
        ? reading
        : recalculateOrder(
            order,
            reading.report,
            await this.catalog(tx, order, reading.report),
            ticksOf(this.clock.now()),
          );
    if (outcome.kind === 'refused') return this.changes.refuse(tx, change, order, outcome.refusal);
    await this.orders.save(outcome.order, tx);
    return this.moveOrder.notify(tx, outcome.order, ITEMS_CHANGED, operation.operationId);
  }

  /** The shop's present data of the reported SKUs. */
  private async catalog(tx: Tx, order: Order, { items }: PickingReport): Promise<Map<string, CatalogSku>> {
    const known = new Map<string, CatalogSku>();
    for (const reference of new Set(items.map((item) => item.skuExternalReference))) {
      const found = await this.products.findSku(order.contractAccountId, reference, tx);
      if (found) known.set(reference, found);
    }
    return known;
  }
}
