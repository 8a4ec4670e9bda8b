import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../domain/core-error.ts';
import { orderOperationFailed, type OrderFailureEvent } from '../domain/orders/order-notifications.ts';
import type { Changeable } from '../domain/orders/order-transitions.ts';
import type { Order } from '../domain/orders/order.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import { OrdersRepository, type OrderKey } from '../outbound/orders.repository.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';

/** One accepted operation on one order. */
export interface OrderChange {
  readonly operation: Operation;
  readonly order: OrderKey;
  /** Tells a refusal. */
  readonly failure: OrderFailureEvent;
  /** Path of the core's own route below the order. */
  readonly route: string;
}

/** How the core begins every change of an order: the merchant's own order, locked, or a refusal that is told. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly notifier: Notifier,
    private readonly ids: Ids,
  ) {}

  /** The order if the core takes the change; undefined when it was refused. */
  async begin(
    tx: Tx,
    change: OrderChange,
    judge: (order: Order | undefined) => Changeable,
  ): Promise<Order | undefined> {
    const { contractAccountId, directive } = change.operation;
    const { order: key } = change;
    const found = await this.orders.lock(key, tx);
    const order = found?.contractAccountId === contractAccountId ? found : undefined;
    const demanded = refusedOnDemand(directive);
    const verdict: Changeable = demanded ? { kind: 'refused', refusal: demanded } : judge(order);
    if (verdict.kind === 'changeable') return verdict.order;
    await this.refuse(tx, change, order, verdict.refusal);
    return undefined;
  }

  async refuse(tx: Tx, change: OrderChange, order: Order | undefined, refusal: CoreRefusal): Promise<void> {
    const { operation, order: key, failure, route } = change;
    const { operationId, contractAccountId } = operation;
    const refused = {
      operationId,
      contractAccountId,
      orderNumber: 'number' in key ? key.number : (order?.number ?? null),
      orderId: order?.id ?? ('id' in key ? key.id : null),
      status: order?.status ?? null,
    };
    const instance = `/v1/gateway/orders/${'id' in key ? key.id : key.number}/${route}`;
    const context = { instance, traceId: this.ids.newTraceId() };
    await this.notifier.notify(tx, orderOperationFailed(failure, refused, refusal, context));
  }
}
