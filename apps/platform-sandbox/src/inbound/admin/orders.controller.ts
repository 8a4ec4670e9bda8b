import { BadRequestException, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { AdminTenants } from '../../application/admin-tenants.ts';
import { MoveOrder } from '../../application/move-order.ts';
import { PlayShopper } from '../../application/play-shopper.ts';
import { ReadOrder } from '../../application/read-order.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { isStatusCode, statusCode } from '../../domain/orders/order-status.ts';
import { DELIVERY_TYPES, type DeliveryType } from '../../domain/orders/order.ts';
import { PAYMENTS } from '../../domain/orders/place-order.ts';
import { PublicUrl } from '../../outbound/public-url.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { chosen, unknown } from './admin-errors.ts';
import { orderView } from './order-view.ts';

const DEFAULT_UNIT_PRICE = '9.90';
const decimal = z.union([z.number(), z.string()]).transform(String);

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
  payment: z.enum(PAYMENTS),
});

const StatusBody = z.object({
  status: z
    .union([z.number(), z.string().transform((name) => statusCode(name) ?? Number.NaN)])
    .refine(isStatusCode, 'must be the code or the name of a status'),
});

/** Plays the shopper, and the platform's own side of an order. */
@Controller('admin/orders')
export class AdminOrdersController {
  constructor(
    private readonly tenants: AdminTenants,
    private readonly shopper: PlayShopper,
    private readonly moveOrder: MoveOrder,
    private readonly readOrder: ReadOrder,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Post()
  async buy(@AdminBody(PurchaseBody) body: z.output<typeof PurchaseBody>): Promise<{ number: number; id: string }> {
    const { contractAccountId } = chosen(await this.tenants.choose(body.contractAccountId));
    const deliveryType: DeliveryType = body.deliveryType;
    const outcome = await this.shopper.buy({ ...body, contractAccountId, deliveryType });
    if (outcome.kind === 'invalid') throw new BadRequestException({ code: 'ORDER_INVALID', message: outcome.problem });
    return { number: outcome.order.number, id: outcome.order.id };
  }

  @Post(':number/status')
  @HttpCode(200)
  async move(
    @Param('number') number: string,
    @AdminBody(StatusBody) { status }: z.output<typeof StatusBody>,
  ): Promise<JsonObject> {
    const order = await this.moveOrder.asPlatform(numberOf(number), status);
    if (order === undefined) throw unknown('order');
    return orderView(order, this.publicUrl.base());
  }

  @Get(':number')
  async read(@Param('number') number: string): Promise<JsonObject> {
    const order = await this.readOrder.byNumber(numberOf(number));
    if (order === undefined) throw unknown('order');
    return orderView(order, this.publicUrl.base());
  }
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unknown('order');
}
