import { errorObject, type CoreRefusal, type RefusalContext } from '../core-error.ts';
import type { Notification } from '../webhooks/notification.ts';
import { isNotified } from './order-status.ts';
import { orderPayload } from './order-payload.ts';
import type { Order, Storefront } from './order.ts';

/**
 * `Order_Updated` after a change of the order, or after items and values changed (`told` 1300); undefined below the
 * notification threshold. docs/platform.md, "Events that are actually delivered for orders".
 */
export function orderUpdated(
  order: Order,
  shop: Storefront,
  operationId: string,
  told: number,
): Notification | undefined {
  if (!isNotified(told)) return undefined;
  return {
    operationId,
    contractAccountId: order.contractAccountId,
    relatedEntity: 'Order',
    eventType: 'Order_Updated',
    data: orderPayload(order, shop, told),
  };
}

/** The failure events of orders that are delivered. */
export type OrderFailureEvent = 'Order_StatusUpdateFailed' | 'Order_CancelFailed' | 'Operation_Failed';

/** What a refused operation on an order was about; what is not known of the order is null. */
export interface RefusedOperation {
  readonly operationId: string;
  readonly contractAccountId: string;
  readonly orderNumber: number | null;
  readonly orderId: string | null;
  readonly status: number | null;
}

/** A refused operation on an order: the error is in the envelope, `data` names the order and the status that it has. */
export function orderOperationFailed(
  eventType: OrderFailureEvent,
  { operationId, contractAccountId, orderNumber, orderId, status }: RefusedOperation,
  refusal: CoreRefusal,
  context: RefusalContext,
): Notification {
  return {
    operationId,
    contractAccountId,
    relatedEntity: 'Order',
    eventType,
    data: { id: orderId, number: orderNumber, status },
    error: errorObject(refusal, context),
  };
}
