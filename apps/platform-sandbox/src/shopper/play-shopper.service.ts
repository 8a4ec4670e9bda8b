import type { MoveOrder } from '../order-changes/move-order.service.ts';
import { discountLines } from '../orders/checkout-terms.ts';
import type { CheckoutTerms, Order, OrderLine } from '../orders/order.ts';
import type { Orders } from '../orders/orders.service.ts';
import { afterPayment, placeOrder } from '../orders/place-order.ts';
import { priceLine, type LinePricing } from '../orders/price-line.ts';
import type { PricesAndStock } from '../prices-and-stock/prices-and-stock.service.ts';
import { shelfPrices, shelfStock } from '../prices-and-stock/shelf-price.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Ids } from '../runtime/ids.service.ts';
import type { Store } from '../store/store.service.ts';
import { numberText } from '../values/exact-json.ts';
import { ticksOf } from '../values/local-time.ts';
import type { Purchase } from './purchase.ts';

/** Price of a SKU for which the merchant has sent none. */
const UNKNOWN_PRICE = '9.90';

export type PurchaseOutcome =
  | { readonly kind: 'placed'; readonly order: Order }
  | { readonly kind: 'invalid'; readonly problem: string };

export interface ShopperServices {
  readonly store: Store;
  readonly orders: Orders;
  readonly products: Products;
  readonly records: PricesAndStock;
  readonly moveOrder: MoveOrder;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * A purchase at the prices of the shelf, of what is not sold out: the order, its payment and their notification, in one
 * unit of work.
 */
export class PlayShopper {
  constructor(private readonly services: ShopperServices) {}

  buy(purchase: Purchase, isNotified = true): PurchaseOutcome {
    const { orders, moveOrder, clock, ids, store } = this.services;
    const { contractAccountId, deliveryType, window, origin, payment } = purchase;
    const newGuid = (): string => ids.newGuid();
    const lines: OrderLine[] = [];
    for (const item of purchase.items) {
      const pricing = this.price(contractAccountId, item);
      if (pricing.kind === 'invalid')
        return { ...pricing, problem: `${item.skuExternalReference}: ${pricing.problem}` };
      lines.push(pricing.line);
    }
    const terms = termsOf(purchase, newGuid);
    const discounting = discountLines(lines, terms);
    if (discounting.kind === 'invalid') return discounting;
    return store.unit(() => {
      const number = orders.nextNumber();
      const now = ticksOf(clock.now());
      const basket = { deliveryType, window, origin, terms, lines: discounting.lines };
      const placed = placeOrder({ number, contractAccountId, ...basket, now, newGuid });
      const order = afterPayment(placed, payment, now);
      orders.save(order);
      if (isNotified) moveOrder.notify(order, order.status, ids.newGuid());
      return { kind: 'placed', order };
    });
  }

  private price(contractAccountId: string, item: Purchase['items'][number]): LinePricing {
    const found = this.services.products.findSku(contractAccountId, item.skuExternalReference);
    if (found === undefined) return { kind: 'invalid', problem: 'the shop has no such SKU' };
    const names = [found.sku.id, found.sku.externalReference];
    const of = (entity: 'SKUPricing' | 'WarehouseSKU') => this.services.records.ofSku(contractAccountId, entity, names);
    const stock = shelfStock(of('WarehouseSKU'));
    if (stock !== null && stock <= 0) return { kind: 'invalid', problem: 'it is sold out in every warehouse' };
    const unitPrice = item.unitPrice ?? shownPrice(shelfPrices(of('SKUPricing'))) ?? UNKNOWN_PRICE;
    return priceLine({ ...item, unitPrice }, found.product, found.sku);
  }
}

function shownPrice({ price, promotionalPrice }: ReturnType<typeof shelfPrices>): string | undefined {
  return numberText(promotionalPrice) ?? numberText(price);
}

function termsOf({ promotion, coupon, giftCard, freight }: Purchase, newGuid: () => string): CheckoutTerms {
  return {
    promotion: promotion ? { id: newGuid(), name: promotion.name, cents: promotion.discount } : null,
    coupon: coupon ? { id: newGuid(), code: coupon.code, cents: coupon.discount } : null,
    giftCardCents: giftCard,
    freightCents: freight,
  };
}
