import { BadRequestException, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { MoveOrder } from '../../application/move-order.ts';
import { PlayShopper } from '../../application/play-shopper.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import { PublicUrl } from '../../outbound/public-url.ts';
import { AdminBody } from '../http/body.decorator.ts';
import { unknown } from './admin-errors.ts';
import { ChosenTenant } from './chosen-tenant.ts';
import { PurchaseBody, StatusBody } from './order-bodies.ts';
import { orderView } from './order-view.ts';

/** Plays the shopper, and the platform's own side of an order. */
@Controller('admin/orders')
export class AdminOrdersController {
  constructor(
    private readonly chosen: ChosenTenant,
    private readonly shopper: PlayShopper,
    private readonly moveOrder: MoveOrder,
    private readonly orders: OrdersRepository,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Post()
  async buy(@AdminBody(PurchaseBody) body: z.output<typeof PurchaseBody>): Promise<{ number: number; id: string }> {
    const { contractAccountId } = await this.chosen.transform(body.contractAccountId);
    const { giftCard: giftCardCents, freight: freightCents, promotion, coupon, ...order } = body;
    const outcome = await this.shopper.buy({
      ...order,
      contractAccountId,
      promotion: promotion && { name: promotion.name, cents: promotion.discount },
      coupon: coupon && { code: coupon.code, cents: coupon.discount },
      giftCardCents,
      freightCents,
    });
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
    const order = await this.orders.find({ number: numberOf(number) });
    if (order === undefined) throw unknown('order');
    return orderView(order, this.publicUrl.base());
  }
}

function numberOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw unknown('order');
}
