import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { orderUpdated } from '../domain/orders/order-notifications.ts';
import { moveTo } from '../domain/orders/order-transitions.ts';
import type { Order } from '../domain/orders/order.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import { TenantsRepository } from '../outbound/tenants.repository.ts';
import { Clock } from './clock.ts';
import { Doorbells } from './doorbell.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';
import { Storefronts } from './storefronts.ts';

/** Changes an order's status and tells it, from 250 upward. */
@Injectable()
export class MoveOrder {
  constructor(
    private readonly database: Database,
    private readonly orders: OrdersRepository,
    private readonly tenants: TenantsRepository,
    private readonly storefronts: Storefronts,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly doorbells: Doorbells,
  ) {}

  /**
   * As the platform itself does it: any status, 1300 included, which only is told. Undefined when there is no such
   * order.
   */
  async asPlatform(number: number, status: number): Promise<Order | undefined> {
    const moved = await this.database.transaction(async (tx) => {
      const order = await this.orders.lock({ number }, tx);
      return order && this.inTransaction(tx, order, status, this.ids.newGuid());
    });
    this.doorbells.sender.ring();
    return moved;
  }

  async inTransaction(tx: Tx, order: Order, status: number, operationId: string): Promise<Order> {
    const moved = moveTo(order, status, this.clock.now());
    await this.orders.save(moved, tx);
    await this.tell(tx, moved, status, operationId);
    return moved;
  }

  /** Tells an order that is stored already. */
  async tell(tx: Tx, order: Order, status: number, operationId: string): Promise<void> {
    const tenant = await this.tenants.find(order.contractAccountId, tx);
    const notification = tenant && orderUpdated(order, this.storefronts.of(tenant), operationId, status);
    if (notification) await this.notifier.notify(tx, notification);
  }
}
