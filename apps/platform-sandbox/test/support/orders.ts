import {
  MORNING,
  NO_TERMS,
  type Order,
  type OrderLine,
  type Payment,
  type Storefront,
} from '../../src/orders/order.ts';
import type { Product, Sku } from '../../src/products/product.ts';
import { placeOrder, afterPayment } from '../../src/orders/place-order.ts';
import { priceLine, type BasketItem } from '../../src/orders/price-line.ts';

import { ticksOf } from '../../src/values/local-time.ts';
import { productItem, receivedObject, skuItem } from './catalog-items.ts';

/** 2026-11-20T10:15:00 in Brazil. */
export const NOW = ticksOf(Date.UTC(2026, 10, 20, 13, 15));

export const SHOP: Storefront = {
  baseUrl: 'http://files.example.com',
  registrationField: 'orderInvoiced',
  fractionOfCent: '',
  sellerId: 'seller',
  shippingPolicyId: 'policy',
  deliveryId: 'delivery',
  paymentMethodId: 'method',
  providerMethodId: 'provider-method',
};

export function aSku(fields: Record<string, unknown> = {}): Sku {
  return { id: 'sku', externalReference: '4711-1', fields: receivedObject(skuItem(fields)) };
}

export function aProduct(skus: readonly Sku[] = [aSku()]): Product {
  const fields = receivedObject(productItem());
  return {
    id: 'product',
    externalReference: '4711',
    fields,
    skus,
    brandId: null,
    categoryId: null,
    createdAt: NOW,
    updatedAt: NOW,
  };
}

export function aLine(item: Partial<BasketItem> = {}, skuFields: Record<string, unknown> = {}): OrderLine {
  const sku = aSku(skuFields);
  const basketItem = { skuExternalReference: sku.externalReference, quantity: '0.312', unitPrice: '39.90', ...item };
  const pricing = priceLine(basketItem, aProduct([sku]), sku);
  if (pricing.kind === 'invalid') throw new Error(pricing.problem);
  return pricing.line;
}

export function anOrder(payment: Payment = 'approved', lines: readonly OrderLine[] = [aLine()]): Order {
  let ids = 0;
  const placed = placeOrder({
    number: 100_234,
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    deliveryType: 1,
    window: MORNING,
    origin: 2,
    terms: NO_TERMS,
    lines,
    now: NOW,
    newGuid: () => `guid-${++ids}`,
  });
  return afterPayment(placed, payment, NOW);
}
