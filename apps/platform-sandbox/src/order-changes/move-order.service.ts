import type { Core } from '../core/core.service.ts';
import { orderPayload } from '../order-payload/order-payload.ts';
import type { Storefronts } from '../order-payload/storefronts.service.ts';
import { isNotified, ORDER_STATUSES } from '../orders/order-status.ts';
import { moveTo } from '../orders/order-transitions.ts';
import type { Order } from '../orders/order.ts';
import type { Orders } from '../orders/orders.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Store } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import { ticksOf } from '../values/local-time.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';

/** The platform's own next change, made only if the order still has the same status then. */
export interface NextMove {
  readonly orderNumber: number;
  readonly from: number;
  readonly to: number;
}

export interface MoveServices {
  readonly store: Store;
  readonly core: Core;
  readonly orders: Orders;
  readonly tenants: Tenants;
  readonly storefronts: Storefronts;
  readonly notifier: Notifier;
  readonly switches: SwitchBoard;
  readonly clock: Clock;
  readonly ids: Ids;
}

const { ORDER_CANCELLATION_ANALYSIS, ORDER_CANCELLED, ORDER_RETURNED, REFUND_IN_PROGRESS, REFUND_COMPLETED } =
  ORDER_STATUSES;

/** Changes an order's status, and notifies it from 250 upward; all within units of work. */
export class MoveOrder {
  constructor(private readonly services: MoveServices) {}

  /**
   * Changes the status as the platform itself does: any status, or 1300, which no order gets. Undefined if the
   * order does not exist.
   */
  asPlatform(number: number, status: number): Order | undefined {
    const { store, orders, ids } = this.services;
    return store.unit(() => {
      const order = orders.find({ number });
      return order && this.to(order, status, ids.newGuid());
    });
  }

  to(order: Order, status: number, operationId: string): Order {
    const moved = moveTo(order, status, ticksOf(this.services.clock.now()));
    this.services.orders.save(moved);
    this.notify(moved, status, operationId);
    return moved;
  }

  /** As `to`, and queues the platform's own next change (docs/platform.md, "Transitions shown"). */
  onItsWay(order: Order, status: number, operationId: string): void {
    const moved = this.to(order, status, operationId);
    const { switches, ids } = this.services;
    const { cancelOperationIds, cancellationMs, refundsByItself } = switches.behaviour;
    switch (moved.status) {
      case ORDER_CANCELLATION_ANALYSIS: {
        const nextId = cancelOperationIds === 'one' ? operationId : ids.newGuid();
        return this.queue(moved, ORDER_CANCELLED, nextId, cancellationMs);
      }
      case ORDER_CANCELLED:
      case ORDER_RETURNED:
        return refundsByItself ? this.queue(moved, REFUND_IN_PROGRESS, ids.newGuid()) : undefined;
      case REFUND_IN_PROGRESS:
        return this.queue(moved, REFUND_COMPLETED, ids.newGuid());
      default:
        return undefined;
    }
  }

  /** Queues the return of an order from a status to the one it has here, as the shop's own change. */
  reopen(before: Order, from: number, delayMs: number): void {
    this.queue({ ...before, status: from }, before.status, this.services.ids.newGuid(), delayMs);
  }

  /** Notifies `Order_Updated` of a stored order, unless the status is below the notification threshold. */
  notify(order: Order, status: number, operationId: string): void {
    const { tenants, storefronts, notifier } = this.services;
    const { contractAccountId } = order;
    const tenant = tenants.find(contractAccountId);
    if (tenant === undefined || !isNotified(status)) return;
    const data = orderPayload(order, storefronts.of(tenant), status);
    notifier.notify({ operationId, contractAccountId, relatedEntity: 'Order', eventType: 'Order_Updated', data });
  }

  private queue({ contractAccountId, number, status }: Order, to: number, operationId: string, delayMs = 0): void {
    const move: NextMove = { orderNumber: number, from: status, to };
    const payloads = [JSON.stringify(move)];
    this.services.core.queue({ operationId, contractAccountId, kind: 'order-move', payloads, directive: {}, delayMs });
  }
}
