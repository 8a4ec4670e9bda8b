import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { settable } from '../domain/orders/order-transitions.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { MoveOrder } from './move-order.ts';
import { OrderChanges } from './order-changes.ts';
import { PlatformCourse } from './platform-course.ts';
import { SwitchBoard } from './switch-board.ts';

/** JSON of the payload. */
export interface OrderStatusPatch {
  readonly orderNumber: number;
  /** Its code, or the name that was sent where that is no status. */
  readonly status: number | string;
}

/** A PATCH of an order's status: echoed as `Order_Updated` with its own operation id, or refused. */
@Injectable()
export class ApplyOrderStatus implements CoreStep {
  readonly kind = 'order-status';

  constructor(
    private readonly changes: OrderChanges,
    private readonly moveOrder: MoveOrder,
    private readonly course: PlatformCourse,
    private readonly switches: SwitchBoard,
  ) {}

  async apply(tx: Tx, operation: Operation): Promise<void> {
    const { orderNumber, status } = JSON.parse(operation.payload) as OrderStatusPatch;
    const change = {
      operation,
      order: { number: orderNumber },
      failure: 'Order_StatusUpdateFailed',
      route: 'status',
    } as const;
    const order = await this.changes.begin(tx, change, (found) => settable(found, status, this.switches.behaviour));
    if (order === undefined || typeof status === 'string') return;
    const moved = await this.moveOrder.inTransaction(tx, order, status, operation.operationId);
    await this.course.follow(tx, moved, operation.operationId);
  }
}
