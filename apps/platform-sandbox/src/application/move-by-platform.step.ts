import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Operation } from '../outbound/operations.repository.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import type { CoreStep } from './core.step.ts';
import { MoveOrder } from './move-order.ts';
import { PlatformCourse, type NextMove } from './platform-course.ts';

/** A move that the platform had ahead; nothing when the order has left the place from which it was to be made. */
@Injectable()
export class MoveByPlatform implements CoreStep {
  readonly kind = 'order-move';

  constructor(
    private readonly orders: OrdersRepository,
    private readonly moveOrder: MoveOrder,
    private readonly course: PlatformCourse,
  ) {}

  async apply(tx: Tx, { operationId, payload }: Operation): Promise<void> {
    const { orderNumber, from, to } = JSON.parse(payload) as NextMove;
    const order = await this.orders.lock({ number: orderNumber }, tx);
    if (order?.status !== from) return;
    const moved = await this.moveOrder.inTransaction(tx, order, to, operationId);
    await this.course.follow(tx, moved, operationId);
  }
}
