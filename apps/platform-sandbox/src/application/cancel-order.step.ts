import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { ORDER_STATUSES } from '../domain/orders/order-status.ts';
import { cancellable } from '../domain/orders/order-transitions.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { MoveOrder } from './move-order.ts';
import { OrderChanges } from './order-changes.ts';
import { PlatformCourse } from './platform-course.ts';

/** JSON of the payload. */
export interface Cancellation {
  readonly orderNumber: number;
}

/** A cancellation that was asked for: 750 now, and 800 when the platform comes to it; or refused. */
@Injectable()
export class CancelOrder implements CoreStep {
  readonly kind = 'order-cancellation';

  constructor(
    private readonly changes: OrderChanges,
    private readonly moveOrder: MoveOrder,
    private readonly course: PlatformCourse,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber } = JSON.parse(operation.payload) as Cancellation;
    const change = {
      operation,
      order: { number: orderNumber },
      failure: 'Order_CancelFailed',
      route: 'cancel',
    } as const;
    const order = await this.changes.begin(tx, change, cancellable);
    if (order === undefined) return;
    const { operationId } = operation;
    const moved = await this.moveOrder.inTransaction(
      tx,
      order,
      ORDER_STATUSES.ORDER_CANCELLATION_ANALYSIS,
      operationId,
    );
    await this.course.follow(tx, moved, operationId);
  }
}
