import type { OrderItemDto, OrderViewDto, SkuMatch } from '@gondola/shared/dto/order-view.dto';
import type { Plain } from '@gondola/shared/dto/plain';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { fulfilmentOf } from './fulfilment.ts';
import { acceptedPaymentOf, couponOf, giftCardOf, totalsOf } from './order-amounts.ts';
import { addressOf, customerOf, paymentOf } from './order-people.ts';
import { sellerOf } from './seller.ts';
import { codeAndName, momentText, recordOf, recordsOf, textOf } from './platform-fields.ts';
import { approximateWeight } from '@gondola/shared/units-and-money/quantity';
import { unitName } from '@gondola/shared/units-and-money/units';

const ORIGINS: Readonly<Record<number, string>> = { 0: 'undefined', 1: 'app', 2: 'web' };

/** An order as the ERP sees it. */
export type OrderValues = Plain<OrderViewDto>;

export type OrderItem = Plain<OrderItemDto>;

export interface SkuOfItem {
  readonly skuExternalReference: string | null;
  readonly name: string | null;
  readonly match: SkuMatch;
}

/** Of an item that no SKU was looked up for yet. */
const UNMATCHED: SkuOfItem = { skuExternalReference: null, name: null, match: 'unknown' };

/**
 * The order as the ERP sees it, from the platform's `data` (docs/platform.md, "Order"): names of the contract, money as
 * decimal text by its digits, times with −03:00, enums with names. What is absent or null there is null here, and
 * nothing is added up or guessed.
 */
export function readOrderValues(data: JsonRecord, orderNumber: number): OrderValues {
  return {
    orderId: textOf(data['id']),
    orderNumber,
    createdAt: momentText(data['createdAt']),
    updatedAt: momentText(data['updatedAt']),
    origin: codeAndName(data['origin'], ORIGINS),
    fulfilment: fulfilmentOf(data),
    seller: sellerOf(recordOf(data['seller'])),
    currency: textOf(data['currency']),
    totals: totalsOf(data),
    coupon: couponOf(data),
    giftCard: giftCardOf(data),
    acceptedPayment: acceptedPaymentOf(recordOf(data['acceptedOrderDetails'])),
    customer: customerOf(recordOf(data['user'])),
    address: addressOf(recordOf(data['orderAddress'])),
    payments: recordsOf(data['paymentAttempts']).map(paymentOf),
    items: recordsOf(data['items']).map((item, index) => itemOf(item, index + 1)),
  };
}

/** The order of which only the number is known: no notification that carries it has arrived yet. */
export function unknownOrderValues(orderNumber: number, orderId: string | null): OrderValues {
  return { ...readOrderValues({}, orderNumber), orderId };
}

/**
 * One item of an order. `id` is the product's GUID and `skuId` the SKU's; the platform sends neither a reference nor a
 * name (rule 11), so the SKU is marked as not matched and the item goes out. What is charged are the platform's own
 * amounts (rule 12).
 */
function itemOf(item: JsonRecord, line: number): OrderItem {
  const unitOfMeasure = unitOf(item['unitOfMeasure']);
  const { orderedQuantity, arithmeticFactor } = item;
  return {
    line,
    productId: textOf(item['id']),
    skuId: textOf(item['skuId']),
    ...UNMATCHED,
    ean: textOf(item['ean']),
    reference: textOf(item['reference']),
    unitOfMeasure,
    orderedQuantity: typeof orderedQuantity === 'number' ? orderedQuantity : null,
    approximateWeight: approximateWeight({
      orderedQuantity,
      arithmeticFactor,
      unitOfMeasure: unitOfMeasure ?? undefined,
    }),
    salePrice: moneyText(item['salePrice']),
    gross: moneyText(item['totalPerProduct']),
    discount: moneyText(item['discountApplied']),
    net: moneyText(item['manualPrice']),
  };
}

/** Text in the integration API, a number in core routes (docs/platform.md, "Unit of measure type rule"). */
function unitOf(value: JsonValue | undefined): string | null {
  return typeof value === 'number' ? unitName(value) : textOf(value);
}
