import { BadRequestException, Get, HttpCode, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { MoveOrder } from '../../application/move-order.ts';
import { PlayShopper } from '../../application/play-shopper.ts';
import { Storefronts } from '../../application/storefronts.ts';
import { centsOf } from '../../domain/decimal.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { statusCode, statusDefinition } from '../../domain/orders/order-status.ts';
import { DELIVERY_TYPES, ORIGINS } from '../../domain/orders/order.ts';
import { PAYMENTS } from '../../domain/orders/place-order.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { SHOP_ORDER_EXAMPLE } from '../openapi/admin-schemas.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID, ref } from '../openapi/schemas.ts';
import { AdminRoutes, NOT_FOUND, unknown } from './admin-routes.decorator.ts';
import { ChosenTenant } from './chosen-tenant.ts';
import { orderView } from './order-view.ts';

const DEFAULT_UNIT_PRICE = '9.90';
const decimal = z.union([z.number(), z.string()]).transform(String);
/** Currency units, in cents from here on. */
const amount = decimal
  .transform((text) => centsOf(text) ?? -1)
  .refine((cents) => cents >= 0, 'must be an amount of at least 0 with at most two decimals');

const PurchaseBody = z.object({
  contractAccountId: z.string().optional(),
  items: z
    .array(
      z.object({
        skuExternalReference: z.string(),
        quantity: decimal,
        unitPrice: decimal.default(DEFAULT_UNIT_PRICE),
      }),
    )
    .min(1),
  deliveryType: z
    .union([z.enum(['scheduled', 'express', 'pickup']).transform((name) => DELIVERY_TYPES[name]), z.literal([1, 2, 3])])
    .default(DELIVERY_TYPES.scheduled),
  origin: z
    .union([z.enum(['undefined', 'app', 'web']).transform((name) => ORIGINS[name]), z.literal([0, 1, 2])])
    .default(ORIGINS.web),
  payment: z.enum(PAYMENTS),
  promotion: z.strictObject({ name: z.string().min(1), discount: amount }).optional(),
  coupon: z.strictObject({ code: z.string().min(1), discount: amount }).optional(),
  giftCard: amount.default(0),
  freight: amount.default(0),
});

const StatusBody = z.object({
  status: z
    .union([z.number(), z.string().transform((name) => statusCode(name) ?? Number.NaN)])
    .refine((code) => statusDefinition(code) !== undefined, 'must be the code or the name of a status'),
});

/** Plays the shopper, and the platform's own side of an order. */
@AdminRoutes('orders')
export class AdminOrdersController {
  constructor(
    private readonly chosen: ChosenTenant,
    private readonly shopper: PlayShopper,
    private readonly moveOrder: MoveOrder,
    private readonly orders: OrdersRepository,
    private readonly storefronts: Storefronts,
  ) {}

  @Post()
  @Describe({
    summary: 'A shopper buys',
    description:
      'A whole quantity of a weighable is the number of sale steps, any other number the weight that was separated. Coupon and promotion ' +
      'are apportioned to the items; gift card and freight lower and raise the total.',
    example: {
      items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 }],
      deliveryType: 'scheduled',
      coupon: { code: 'VOLTA10', discount: 1 },
      freight: '9.90',
      payment: 'approved',
    },
    answer: [ref('PlacedOrder'), { number: 100234, id: A_GUID }],
  })
  async buy(@AdminBody(PurchaseBody) body: z.output<typeof PurchaseBody>): Promise<{ number: number; id: string }> {
    const { contractAccountId } = await this.chosen.transform(body.contractAccountId);
    const outcome = await this.shopper.buy({ ...body, contractAccountId });
    if (outcome.kind === 'invalid') throw new BadRequestException({ code: 'ORDER_INVALID', message: outcome.problem });
    return { number: outcome.order.number, id: outcome.order.id };
  }

  @Post(':number/status')
  @HttpCode(200)
  @Describe({
    summary:
      'Moves an order as the platform itself would: any status by code or name; 1300 is notified and leaves it as it is',
    example: { status: 'PAYMENT_APPROVED' },
    answer: [ref('ShopOrder'), SHOP_ORDER_EXAMPLE],
    errors: NOT_FOUND,
  })
  async move(
    @Param('number') number: string,
    @AdminBody(StatusBody) { status }: z.output<typeof StatusBody>,
  ): Promise<JsonObject> {
    const order = await this.moveOrder.asPlatform(numberOf(number), status);
    if (order === undefined) throw unknown('order');
    return orderView(order, this.storefronts);
  }

  @Get(':number')
  @Describe({
    summary: 'An order as the shop has it',
    answer: [ref('ShopOrder'), SHOP_ORDER_EXAMPLE],
    errors: NOT_FOUND,
  })
  async read(@Param('number') number: string): Promise<JsonObject> {
    const order = await this.orders.find({ number: numberOf(number) });
    if (order === undefined) throw unknown('order');
    return orderView(order, this.storefronts);
  }
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unknown('order');
}
