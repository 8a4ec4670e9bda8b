import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { ORDER_STATUSES } from '../domain/orders/order-status.ts';
import type { Order } from '../domain/orders/order.ts';
import { OperationsRepository } from '../outbound/operations.repository.ts';
import { Ids } from './ids.ts';
import { SwitchBoard } from './switch-board.ts';

/** JSON of the payload: what the platform will do by itself, if the order is still where it was then. */
export interface NextMove {
  readonly orderNumber: number;
  readonly from: number;
  readonly to: number;
}

const { ORDER_CANCELLATION_ANALYSIS, ORDER_CANCELLED, ORDER_RETURNED, REFUND_IN_PROGRESS, REFUND_COMPLETED } =
  ORDER_STATUSES;

/** Where the platform takes an order by itself, one move at a time (docs/platform.md, "Transitions shown"). */
@Injectable()
export class PlatformCourse {
  constructor(
    private readonly operations: OperationsRepository,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
  ) {}

  /** Queues what follows on the status that an order has just got, in the transaction that gave it. */
  async follow(tx: Tx, order: Order, operationId: string): Promise<void> {
    const { behaviour } = this.switches;
    switch (order.status) {
      case ORDER_CANCELLATION_ANALYSIS: {
        const isOne = behaviour.cancelOperationIds === 'one';
        return this.queue(
          tx,
          order,
          ORDER_CANCELLED,
          isOne ? operationId : this.ids.newGuid(),
          behaviour.cancellationMs,
        );
      }
      case ORDER_CANCELLED:
      case ORDER_RETURNED: {
        if (behaviour.refundsByItself) await this.queue(tx, order, REFUND_IN_PROGRESS, this.ids.newGuid());
        return undefined;
      }
      case REFUND_IN_PROGRESS:
        return this.queue(tx, order, REFUND_COMPLETED, this.ids.newGuid());
      default:
        return undefined;
    }
  }

  private async queue(tx: Tx, order: Order, to: number, operationId: string, delayMs = 0): Promise<void> {
    const { contractAccountId, number, status } = order;
    const move: NextMove = { orderNumber: number, from: status, to };
    const payloads = [JSON.stringify(move)];
    await this.operations.add(
      { operationId, contractAccountId, kind: 'order-move', payloads, directive: {}, delayMs },
      tx,
    );
  }
}
