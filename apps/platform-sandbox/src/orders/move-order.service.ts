import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { OperationsRepository } from '../core/operations.repository.ts';
import { orderPayload } from '../order-payload/order-payload.ts';
import { Storefronts } from '../order-payload/storefronts.service.ts';
import { Ids } from '../runtime/ids.service.ts';
import { Signals } from '../runtime/signals.service.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { TenantsRepository } from '../tenants/tenants.repository.ts';
import { ticksOf } from '../values/local-time.ts';
import { Notifier } from '../webhooks/notifier.service.ts';
import { isNotified, ORDER_STATUSES } from './order-status.ts';
import { moveTo } from './order-transitions.ts';
import type { Order } from './order.ts';
import { OrdersRepository } from './orders.repository.ts';

/** The platform's own next change, made only if the order still has the same status then. */
export interface NextMove {
  readonly orderNumber: number;
  readonly from: number;
  readonly to: number;
}

const { ORDER_CANCELLATION_ANALYSIS, ORDER_CANCELLED, ORDER_RETURNED, REFUND_IN_PROGRESS, REFUND_COMPLETED } =
  ORDER_STATUSES;

/** Changes an order's status, and notifies it from 250 upward. */
@Injectable()
export class MoveOrder {
  constructor(
    private readonly database: Database,
    private readonly orders: OrdersRepository,
    private readonly operations: OperationsRepository,
    private readonly tenants: TenantsRepository,
    private readonly storefronts: Storefronts,
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly signals: Signals,
  ) {}

  /**
   * Changes the status as the platform itself does: any status, or 1300, which no order gets. Undefined if the
   * order does not exist.
   */
  async asPlatform(number: number, status: number): Promise<Order | undefined> {
    const moved = await this.database.transaction(async (tx) => {
      const order = await this.orders.lock({ number }, tx);
      return order && this.inTransaction(tx, order, status, this.ids.newGuid());
    });
    this.signals.sender.give();
    return moved;
  }

  async inTransaction(tx: Tx, order: Order, status: number, operationId: string): Promise<Order> {
    const moved = moveTo(order, status, ticksOf(this.clock.now()));
    await this.orders.save(moved, tx);
    await this.notify(tx, moved, status, operationId);
    return moved;
  }

  /** As `inTransaction`, and queues the platform's own next change (docs/platform.md, "Transitions shown"). */
  async onItsWay(tx: Tx, order: Order, status: number, operationId: string): Promise<void> {
    const moved = await this.inTransaction(tx, order, status, operationId);
    const { cancelOperationIds, cancellationMs, refundsByItself } = this.switches.behaviour;
    switch (moved.status) {
      case ORDER_CANCELLATION_ANALYSIS: {
        const nextId = cancelOperationIds === 'one' ? operationId : this.ids.newGuid();
        return this.queue(tx, moved, ORDER_CANCELLED, nextId, cancellationMs);
      }
      case ORDER_CANCELLED:
      case ORDER_RETURNED:
        return refundsByItself ? this.queue(tx, moved, REFUND_IN_PROGRESS, this.ids.newGuid()) : undefined;
      case REFUND_IN_PROGRESS:
        return this.queue(tx, moved, REFUND_COMPLETED, this.ids.newGuid());
      default:
        return undefined;
    }
  }

  /** Notifies `Order_Updated` of a stored order, unless the status is below the notification threshold. */
  async notify(tx: Tx, order: Order, status: number, operationId: string): Promise<void> {
    const { contractAccountId } = order;
    const tenant = await this.tenants.find(contractAccountId, tx);
    if (tenant === undefined || !isNotified(status)) return;
    const data = orderPayload(order, this.storefronts.of(tenant), status);
    const about = { relatedEntity: 'Order', eventType: 'Order_Updated' } as const;
    await this.notifier.notify(tx, { operationId, contractAccountId, ...about, data });
  }

  private async queue(tx: Tx, order: Order, to: number, operationId: string, delayMs = 0): Promise<void> {
    const { contractAccountId, number, status } = order;
    const move: NextMove = { orderNumber: number, from: status, to };
    const payloads = [JSON.stringify(move)];
    const operation = { operationId, contractAccountId, kind: 'order-move', payloads, directive: {}, delayMs };
    await this.operations.add(operation, tx);
  }
}
