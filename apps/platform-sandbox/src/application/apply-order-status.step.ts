import type { Tx } from '@gondola/service-kit/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand } from '../domain/core-error.ts';
import { statusUpdateFailed } from '../domain/orders/order-notifications.ts';
import { patchRefusal } from '../domain/orders/order-transitions.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Ids } from './ids.ts';
import { MoveOrder } from './move-order.ts';
import { Notifier } from './notifier.ts';

/** JSON of the payload. */
export interface OrderStatusPatch {
  readonly orderNumber: number;
  readonly status: number;
}

/** A PATCH of an order's status: echoed as `Order_Updated` with its own operation id, or refused. */
@Injectable()
export class ApplyOrderStatus implements CoreStep {
  readonly kind = 'order-status';

  constructor(
    private readonly orders: OrdersRepository,
    private readonly moveOrder: MoveOrder,
    private readonly notifier: Notifier,
    private readonly ids: Ids,
  ) {}

  async apply(tx: Tx, { operationId, contractAccountId, payload, directive }: Operation): Promise<void> {
    const { orderNumber, status } = JSON.parse(payload) as OrderStatusPatch;
    const found = await this.orders.lock(tx, orderNumber);
    const order = found?.contractAccountId === contractAccountId ? found : undefined;
    const refusal = refusedOnDemand(directive) ?? patchRefusal(order, status);
    if (refusal === undefined && order !== undefined) {
      await this.moveOrder.inTransaction(tx, order, status, operationId);
      return;
    }
    const context = { instance: `/v1/gateway/orders/${orderNumber}/status`, traceId: this.ids.newTraceId() };
    const refused = { operationId, contractAccountId, orderNumber, order };
    if (refusal) await this.notifier.notify(tx, statusUpdateFailed(refused, refusal, context));
  }
}
