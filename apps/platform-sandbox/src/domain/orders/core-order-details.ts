import type { JsonObject } from '../exact-json.ts';
import { unitCode } from '../unit-of-measure.ts';
import { itemBlock, orderPayload } from './order-payload.ts';
import type { Order, Storefront } from './order.ts';

/**
 * Answer of the core's order details route: the order, with the unit of measure as a number (docs/platform.md, "Unit of
 * measure type rule").
 */
export function coreOrderDetails(order: Order, shop: Storefront): JsonObject {
  return {
    ...orderPayload(order, shop),
    contractAccountId: order.contractAccountId,
    items: order.lines.map((line) => itemBlock(order, line, unitCode(line.unitOfMeasure))),
  };
}
