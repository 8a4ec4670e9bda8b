import { errorObject, type CoreRefusal, type RefusalContext } from '../core-error.ts';
import type { Notification } from '../webhooks/notification.ts';
import { isNotified } from './order-status.ts';
import { orderPayload } from './order-payload.ts';
import type { Order, Shop } from './order.ts';

/**
 * `Order_Updated` after a change of the order, or after items and values changed (`told` 1300); undefined below the notification threshold.
 * platform-api.md: Events that are actually delivered for orders.
 */
export function orderUpdated(order: Order, shop: Shop, operationId: string, told: number): Notification | undefined {
  if (!isNotified(told)) return undefined;
  return {
    operationId,
    contractAccountId: order.contractAccountId,
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data: orderPayload(order, shop, told),
  };
}

/** What a refused operation on an order was about. */
export interface RefusedOperation {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly orderNumber: number;
  /** Undefined when there is no such order. */
  readonly order: Order | undefined;
}

/** `Order_StatusUpdateFailed`: the error is in the envelope, `data` names the order and its unchanged status. */
export function statusUpdateFailed(
  { operationId, contractAccountId, orderNumber, order }: RefusedOperation,
  refusal: CoreRefusal,
  context: RefusalContext,
): Notification {
  return {
    operationId,
    contractAccountId,
    relatedEntity: 'Order',
    eventType: 'Order_StatusUpdateFailed',
    data: { id: order?.id ?? null, number: orderNumber, status: order?.status ?? null },
    error: errorObject(refusal, context),
  };
}
