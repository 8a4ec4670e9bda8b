import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { keyOf, numberOf, parseExact, type Json, type JsonObject } from '../domain/exact-json.ts';
import { ITEMS_CHANGED } from '../domain/orders/order-status.ts';
import { changeableFromAny } from '../domain/orders/order-transitions.ts';
import type { Order } from '../domain/orders/order.ts';
import { readPicking, type PickingReport } from '../domain/orders/picking-report.ts';
import { recalculateOrder, type CatalogSku } from '../domain/orders/recalculate-order.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import { ProductsRepository } from '../outbound/products.repository.ts';
import { Clock } from './clock.ts';
import type { CoreStep } from './core.step.ts';
import { MoveOrder } from './move-order.ts';
import { OrderChanges } from './order-changes.ts';
import { SwitchBoard } from './switch-board.ts';

/** JSON of the payload. */
export type PickingPayload = { readonly orderNumber: number; readonly body: Json };

/** What was picked: items, values and charge are recalculated, and told as 1300; the status stays. */
@Injectable()
export class ApplyPicking implements CoreStep {
  readonly kind = 'order-picking';

  constructor(
    private readonly changes: OrderChanges,
    private readonly orders: OrdersRepository,
    private readonly products: ProductsRepository,
    private readonly moveOrder: MoveOrder,
    private readonly switches: SwitchBoard,
    private readonly clock: Clock,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const payload = parseExact(operation.payload) as JsonObject;
    const orderNumber = numberOf(keyOf(payload, 'orderNumber')) ?? 0;
    // A refused change of items has no failure event that is delivered of its own.
    const change = { operation, order: { number: orderNumber }, failure: 'Operation_Failed', route: 'items' } as const;
    const order = await this.changes.begin(tx, change, (found) => changeableFromAny(found, this.switches.behaviour));
    if (order === undefined) return;
    const reading = readPicking(keyOf(payload, 'body') ?? null, this.switches.behaviour.pickingKeys);
    const outcome =
      reading.kind === 'refused'
        ? reading
        : recalculateOrder(order, reading.report, await this.catalog(tx, order, reading.report), this.clock.now());
    if (outcome.kind === 'refused') return this.changes.refuse(tx, change, order, outcome.refusal);
    await this.orders.save(outcome.order, tx);
    return this.moveOrder.tell(tx, outcome.order, ITEMS_CHANGED, operation.operationId);
  }

  /** The SKUs that are reported, as the shop has them now. */
  private async catalog(tx: Tx, order: Order, { items }: PickingReport): Promise<Map<string, CatalogSku>> {
    const known = new Map<string, CatalogSku>();
    for (const reference of new Set(items.map((item) => item.skuExternalReference))) {
      const product = await this.products.findBySku(order.contractAccountId, reference, tx);
      const sku = product?.skus.find(({ externalReference }) => externalReference === reference);
      if (product && sku) known.set(reference, { product, sku });
    }
    return known;
  }
}
