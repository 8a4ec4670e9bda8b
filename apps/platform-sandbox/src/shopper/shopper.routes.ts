import { z } from 'zod';
import type { Accepted, Core } from '../core/core.service.ts';
import { HttpError, badRequest, unknown } from '../http/http-error.ts';
import { listQuery, pageOf, type Page } from '../http/page-of.ts';
import { route, type AnyRoute } from '../http/route.ts';
import type { MoveOrder } from '../order-changes/move-order.service.ts';
import type { Cancellation, OrderStatusPatch, PickingPayload } from '../order-changes/order-changes.service.ts';
import type { Storefronts } from '../order-payload/storefronts.service.ts';
import { totalAfterPicking } from '../picking/total-after-picking.ts';
import {
  ORDER_STATUSES,
  PLACED,
  STATUS_NAMES,
  statusCode,
  statusDefinition,
  statusKinds,
} from '../orders/order-status.ts';
import { afterPayment } from '../orders/place-order.ts';
import type { Order } from '../orders/order.ts';
import { orderOf, type OrderRow, type Orders } from '../orders/orders.service.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Store } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import { textOrNull } from '../catalog/field-rules.ts';
import { rawNumber, type JsonObject } from '../values/exact-json.ts';
import { centsText } from '../values/decimal.ts';
import { ticksOf } from '../values/local-time.ts';
import { didYouMean } from '../values/near-word.ts';
import { SHOP_ORDER } from './order-example.ts';
import { orderView, paymentOf } from './order-view.ts';
import type { PlayShopper } from './play-shopper.service.ts';
import { PurchaseBody } from './purchase.ts';

export interface ShopperRouteServices {
  readonly store: Store;
  readonly core: Core;
  readonly tenants: Tenants;
  readonly shopper: PlayShopper;
  readonly moveOrder: MoveOrder;
  readonly orders: Orders;
  readonly products: Products;
  readonly storefronts: Storefronts;
  readonly switches: SwitchBoard;
  readonly clock: Clock;
  readonly ids: Ids;
}

const A_GUID = '11111111-1111-4111-8111-111111111111';
const NOT_FOUND = { 404: 'There is none' };
const ACCEPTED = { operationId: A_GUID };

const StatusBody = z.object({
  status: z.union([z.number(), z.string()]).transform((given, context) => {
    const code = typeof given === 'number' ? given : statusCode(given);
    if (code !== undefined && statusDefinition(code) !== undefined) return code;
    const near = typeof given === 'string' ? didYouMean(given, STATUS_NAMES) : '';
    context.addIssue({ code: 'custom', message: `must be the code or the name of a status${near}` });
    return z.NEVER;
  }),
});
const decimal = z.union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, 'must be a decimal number')]).transform(String);
const PickingBody = z.object({
  items: z.array(
    z.object({
      skuExternalReference: z.string().min(1),
      quantity: decimal.describe('Units, or the weight in the unit of measure; 0: nothing was picked'),
      price: decimal.optional().describe('Per unit of measure'),
      total: decimal.optional(),
    }),
  ),
  finalOrderPrice: decimal.optional().describe('Default: what the lines cost, with freight and gift card'),
});
const OrdersQuery = listQuery({
  status: z.string().optional().describe('Codes or names, separated by commas'),
  q: z.string().optional().describe('A part of the number, the id, or a SKU’s reference'),
});

/** Plays the shopper, and the platform's own side of an order. */
export function shopperRoutes(services: ShopperRouteServices): AnyRoute[] {
  const { store, core, tenants, shopper, moveOrder, orders, products, storefronts, switches, clock, ids } = services;
  const view = (order: Order): JsonObject =>
    orderView(order, {
      urlOf: (file) => storefronts.urlOf(file),
      nameOf: (sku) => textOrNull(products.findSku(order.contractAccountId, sku)?.sku.fields ?? {}, 'name'),
    });
  const orderAt = ({ number = '' }: Readonly<Record<string, string>>): Order => {
    const order = /^\d{1,15}$/.test(number) ? orders.find({ number: Number(number) }) : undefined;
    if (order === undefined) throw unknown('order');
    return order;
  };
  const page = (query: z.output<typeof OrdersQuery>): Page<OrderRow> => {
    const statuses = query.status?.split(',').map(statusNamed);
    const matching = [...orders.table.values()].filter(
      ({ contractAccountId, status }) =>
        (query.contractAccountId === undefined ||
          query.contractAccountId.toLowerCase() === contractAccountId.toLowerCase()) &&
        (statuses === undefined || statuses.includes(status)),
    );
    return pageOf(
      matching.filter((row) => isAbout(row, query.q)),
      query,
      ({ number }) => number,
    );
  };
  return [
    route({
      method: 'POST',
      path: '/admin/orders',
      access: 'admin',
      summary: 'A shopper buys',
      description:
        'A whole quantity of a weighable SKU is a number of sale steps, any other quantity is the picked weight. Coupon and ' +
        'promotion are apportioned to the items; a gift card lowers the total, freight raises it.',
      body: PurchaseBody,
      example: {
        items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 }],
        deliveryType: 'scheduled',
        coupon: { code: 'VOLTA10', discount: 1 },
        freight: '9.90',
        payment: 'approved',
      },
      answer: { number: 100234, id: A_GUID },
      status: 201,
      handle: ({ body }) => {
        const { contractAccountId } = tenants.chosen(body.contractAccountId);
        const outcome = shopper.buy({ ...body, contractAccountId });
        if (outcome.kind === 'invalid') throw badRequest('ORDER_INVALID', outcome.problem);
        return { number: outcome.order.number, id: outcome.order.id };
      },
    }),
    route({
      method: 'GET',
      path: '/admin/orders',
      access: 'admin',
      summary: 'All orders',
      query: OrdersQuery,
      answer: [{ seq: 100234, ...SHOP_ORDER }],
      handle: ({ query, reply }) => {
        const { entries, total, next } = page(query);
        void reply.header('x-total', total);
        if (next !== undefined) void reply.header('x-next-after', next);
        return entries.map((row) => ({ seq: row.number, ...view(orderOf(row)) }));
      },
    }),
    route({
      method: 'GET',
      path: '/admin/orders/:number',
      access: 'admin',
      summary: 'An order as the shop has it',
      answer: SHOP_ORDER,
      errors: NOT_FOUND,
      handle: ({ params }) => view(orderAt(params)),
    }),
    route({
      method: 'POST',
      path: '/admin/orders/:number/status',
      access: 'admin',
      summary:
        'Moves an order as the platform itself would: any status by code or name; 1300 is notified and leaves it as it is',
      body: StatusBody,
      example: { status: 'PAYMENT_APPROVED' },
      answer: SHOP_ORDER,
      errors: NOT_FOUND,
      handle: ({ params, body }) => {
        const moved = moveOrder.asPlatform(orderAt(params).number, body.status);
        if (moved === undefined) throw unknown('order');
        return view(moved);
      },
    }),
    route({
      method: 'POST',
      path: '/admin/orders/:number/payment',
      access: 'admin',
      summary: 'The payment provider decides about an order that waits for it',
      body: z.object({ payment: z.enum(['approved', 'refused']) }),
      example: { payment: 'approved' },
      answer: SHOP_ORDER,
      errors: { ...NOT_FOUND, 409: 'The payment was decided differently' },
      handle: ({ params, body: { payment } }) => {
        const order = orderAt(params);
        if (order.status !== PLACED && paymentOf(order) === payment) return view(order);
        if (order.status !== PLACED) {
          throw new HttpError(409, 'PAID', `The payment of order ${order.number} is ${paymentOf(order)}`);
        }
        return view(
          store.unit(() => {
            const paid = afterPayment(order, payment, ticksOf(clock.now()));
            return moveOrder.to(order, paid.status, ids.newGuid());
          }),
        );
      },
    }),
    route({
      method: 'POST',
      path: '/admin/orders/:number/cancel',
      access: 'admin',
      summary:
        'A shopper asks for a cancellation, on the path of the platform’s own route; or the platform cancels, from any status',
      body: z.object({ by: z.enum(['shopper', 'platform']).default('shopper') }),
      example: { by: 'shopper' },
      answer: ACCEPTED,
      errors: NOT_FOUND,
      handle: ({ params, body: { by } }): Accepted => {
        const order = orderAt(params);
        if (by === 'shopper') {
          const cancellation: Cancellation = { orderNumber: order.number };
          return core.accept(order, 'order-cancellation', [cancellation]);
        }
        const operationId = ids.newGuid();
        store.unit(() => moveOrder.onItsWay(order, ORDER_STATUSES.ORDER_CANCELLATION_ANALYSIS, operationId));
        return { operationId };
      },
    }),
    route({
      method: 'POST',
      path: '/admin/orders/:number/picking',
      access: 'admin',
      summary: 'Reports picked items for the merchant, on the path of PUT /v1/Orders/{orderNumber}',
      body: PickingBody,
      example: { items: [{ skuExternalReference: '4711-1', quantity: 0.298 }] },
      answer: ACCEPTED,
      errors: NOT_FOUND,
      handle: ({ params, body: { items, finalOrderPrice } }): Accepted => {
        const order = orderAt(params);
        const { pickingKeys: keys } = switches.behaviour;
        const total = finalOrderPrice ?? centsText(totalAfterPicking(order, items));
        const payload: PickingPayload = {
          orderNumber: order.number,
          body: {
            finalOrderPrice: rawNumber(total),
            [keys.items]: items.map((item) => ({
              skuExternalReference: item.skuExternalReference,
              [keys.quantity]: rawNumber(item.quantity),
              ...(item.price !== undefined && { [keys.price]: rawNumber(item.price) }),
              ...(item.total !== undefined && { [keys.total]: rawNumber(item.total) }),
            })),
          },
        };
        return core.accept(order, 'order-picking', [payload]);
      },
    }),
    route({
      method: 'POST',
      path: '/admin/orders/:number/merchant-status',
      access: 'admin',
      summary: 'Sets the status for the merchant, on the path of PATCH /v1/Orders/{orderNumber}/status',
      body: StatusBody,
      example: { status: 'ORDER_BEING_PREPARED' },
      answer: ACCEPTED,
      errors: NOT_FOUND,
      handle: ({ params, body: { status } }): Accepted => {
        const order = orderAt(params);
        const patch: OrderStatusPatch = { orderNumber: order.number, status };
        return core.accept(order, 'order-status', [patch]);
      },
    }),
    route({
      method: 'GET',
      path: '/admin/statuses',
      access: 'admin',
      summary: 'All statuses of the document',
      answer: [{ code: 300, name: 'PAYMENT_APPROVED', isSettable: false, isNotified: true }],
      handle: () => statusKinds(),
    }),
  ];
}

function isAbout({ number, id, text }: OrderRow, q: string | undefined): boolean {
  if (q === undefined || q === '') return true;
  const wanted = q.toLowerCase();
  return (
    String(number).includes(wanted) ||
    id.includes(wanted) ||
    text.toLowerCase().includes(`"skuexternalreference":"${wanted}`)
  );
}

function statusNamed(given: string): number {
  const code = /^\d+$/.test(given) ? Number(given) : statusCode(given.trim());
  if (code !== undefined) return code;
  throw badRequest('QUERY_INVALID', `unknown status \`${given}\`${didYouMean(given, STATUS_NAMES)}`);
}
