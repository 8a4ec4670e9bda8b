import { BadRequestException, Get, HttpCode, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { AdminRoutes, NOT_FOUND, unknown } from '../http/admin-routes.decorator.ts';
import { ValidBody } from '../http/body.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { SHOP_ORDER } from '../openapi/examples.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { Storefronts } from '../order-payload/storefronts.service.ts';
import { MoveOrder } from '../orders/move-order.service.ts';
import { statusCode, statusDefinition } from '../orders/order-status.ts';
import type { Order } from '../orders/order.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { ChosenTenant } from '../tenants/chosen-tenant.pipe.ts';
import type { JsonObject } from '../values/exact-json.ts';
import { orderView } from './order-view.ts';
import { PlayShopper } from './play-shopper.service.ts';
import { PurchaseBody } from './purchase.ts';

const StatusBody = z.object({
  status: z
    .union([z.number(), z.string().transform((name) => statusCode(name) ?? Number.NaN)])
    .refine((code) => statusDefinition(code) !== undefined, 'must be the code or the name of a status'),
});

/** Plays the shopper, and the platform's own side of an order. */
@AdminRoutes('orders')
export class ShopperController {
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
      'A whole quantity of a weighable SKU is a number of sale steps, any other quantity is the picked weight. Coupon and promotion ' +
      'are apportioned to the items; a gift card lowers the total, freight raises it.',
    body: {
      items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 }],
      deliveryType: 'scheduled',
      coupon: { code: 'VOLTA10', discount: 1 },
      freight: '9.90',
      payment: 'approved',
    },
    answer: { number: 100234, id: A_GUID },
  })
  async buy(@ValidBody(PurchaseBody) body: z.output<typeof PurchaseBody>): Promise<{ number: number; id: string }> {
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
    body: { status: 'PAYMENT_APPROVED' },
    answer: SHOP_ORDER,
    errors: NOT_FOUND,
  })
  async move(
    @Param('number') number: string,
    @ValidBody(StatusBody) { status }: z.output<typeof StatusBody>,
  ): Promise<JsonObject> {
    const order = await this.moveOrder.asPlatform(numberOf(number), status);
    if (order === undefined) throw unknown('order');
    return this.view(order);
  }

  @Get(':number')
  @Describe({
    summary: 'An order as the shop has it',
    answer: SHOP_ORDER,
    errors: NOT_FOUND,
  })
  async read(@Param('number') number: string): Promise<JsonObject> {
    const order = await this.orders.find({ number: numberOf(number) });
    if (order === undefined) throw unknown('order');
    return this.view(order);
  }

  private view(order: Order): JsonObject {
    return orderView(order, (file) => this.storefronts.urlOf(file));
  }
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unknown('order');
}
