import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { laterThan } from '../domain/local-time.ts';
import { ORDER_STATUSES } from '../domain/orders/order-status.ts';
import { becomesInvoiced } from '../domain/orders/order-transitions.ts';
import type { Order } from '../domain/orders/order.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import { Clock } from './clock.ts';
import { MoveOrder } from './move-order.ts';
import { SwitchBoard } from './switch-board.ts';

/** What registration and file of an invoice have in common: the second of the two makes an order 350. */
@Injectable()
export class Invoicing {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly switches: SwitchBoard,
    private readonly moveOrder: MoveOrder,
    private readonly clock: Clock,
  ) {}

  /** Stores an order to which one of the two was added; told only if it becomes 350. */
  async store(tx: Tx, order: Order, operationId: string): Promise<void> {
    if (this.switches.behaviour.invoicedByItself && becomesInvoiced(order)) {
      await this.moveOrder.inTransaction(tx, order, ORDER_STATUSES.ORDER_INVOICED, operationId);
      return;
    }
    await this.orders.save({ ...order, updatedAt: laterThan(order.updatedAt, this.clock.now()) }, tx);
  }
}
