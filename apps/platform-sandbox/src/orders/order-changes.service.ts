import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand, type CoreRefusal } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import { Notifier } from '../webhooks/notifier.service.ts';
import type { Changeable } from './order-transitions.ts';
import type { Order } from './order.ts';
import { OrdersRepository, type OrderKey } from './orders.repository.ts';

/** One accepted operation on one order. */
export interface OrderChange {
  readonly operation: Operation;
  readonly order: OrderKey;
  readonly failure: 'Order_StatusUpdateFailed' | 'Order_CancelFailed' | 'Operation_Failed';
  /** Path of the core's own route below the order. */
  readonly route: string;
}

/** First steps of every change of an order: finds and locks the merchant's order, or notifies a refusal. */
@Injectable()
export class OrderChanges {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly notifier: Notifier,
  ) {}

  /** The order if the core makes the change; undefined after a refusal. */
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

  /**
   * Notifies a refusal: the error is in the envelope, `data` names the order and its status; unknown values are
   * null.
   */
  async refuse(tx: Tx, change: OrderChange, order: Order | undefined, refusal: CoreRefusal): Promise<void> {
    const { operation, order: key, failure: eventType, route } = change;
    const data = {
      id: order?.id ?? ('id' in key ? key.id : null),
      number: 'number' in key ? key.number : (order?.number ?? null),
      status: order?.status ?? null,
    };
    const path = `orders/${'id' in key ? key.id : key.number}/${route}`;
    const about = { relatedEntity: 'Order', eventType, data, route: path } as const;
    await this.notifier.refuse(tx, operation, about, refusal);
  }
}
