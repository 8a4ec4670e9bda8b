import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { MoveOrder } from '../orders/move-order.service.ts';
import type { CheckoutTerms, Order, OrderLine } from '../orders/order.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { ProductsRepository } from '../products/products.repository.ts';
import { Ids } from '../runtime/ids.service.ts';
import { Signals } from '../runtime/signals.service.ts';
import { ticksOf } from '../values/local-time.ts';
import { discountLines } from './checkout-terms.ts';
import { placeOrder, afterPayment } from './place-order.ts';
import { priceLine } from './price-line.ts';
import type { BasketItem, Purchase } from './purchase.ts';

export type PurchaseOutcome =
  | { readonly kind: 'placed'; readonly order: Order }
  | { readonly kind: 'invalid'; readonly problem: string };

/** A purchase: the order, its payment and their notification, in one transaction. */
@Injectable()
export class PlayShopper {
  constructor(
    private readonly database: Database,
    private readonly orders: OrdersRepository,
    private readonly products: ProductsRepository,
    private readonly moveOrder: MoveOrder,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly signals: Signals,
  ) {}

  async buy(purchase: Purchase): Promise<PurchaseOutcome> {
    const { contractAccountId, deliveryType, origin, payment } = purchase;
    const outcome = await this.database.transaction(async (tx): Promise<PurchaseOutcome> => {
      const lines: OrderLine[] = [];
      for (const item of purchase.items) {
        const pricing = await this.price(tx, contractAccountId, item);
        if (pricing.kind === 'invalid')
          return { ...pricing, problem: `${item.skuExternalReference}: ${pricing.problem}` };
        lines.push(pricing.line);
      }
      const newGuid = (): string => this.ids.newGuid();
      const terms = termsOf(purchase, newGuid);
      const discounting = discountLines(lines, terms);
      if (discounting.kind === 'invalid') return discounting;
      const number = await this.orders.nextNumber(tx);
      const now = ticksOf(this.clock.now());
      const basket = { deliveryType, origin, terms, lines: discounting.lines };
      const placed = placeOrder({ number, contractAccountId, ...basket, now, newGuid });
      const order = afterPayment(placed, payment, now);
      await this.orders.save(order, tx);
      await this.moveOrder.notify(tx, order, order.status, this.ids.newGuid());
      return { kind: 'placed', order };
    });
    this.signals.sender.give();
    return outcome;
  }

  private async price(tx: Tx, contractAccountId: string, item: BasketItem): Promise<ReturnType<typeof priceLine>> {
    const found = await this.products.findSku(contractAccountId, item.skuExternalReference, tx);
    if (found === undefined) return { kind: 'invalid', problem: 'the shop has no such SKU' };
    return priceLine(item, found.product, found.sku);
  }
}

function termsOf({ promotion, coupon, giftCard, freight }: Purchase, newGuid: () => string): CheckoutTerms {
  return {
    promotion: promotion ? { id: newGuid(), name: promotion.name, cents: promotion.discount } : null,
    coupon: coupon ? { id: newGuid(), code: coupon.code, cents: coupon.discount } : null,
    giftCardCents: giftCard,
    freightCents: freight,
  };
}
