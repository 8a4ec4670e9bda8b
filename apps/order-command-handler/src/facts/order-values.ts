import type {
  OrderItemDto,
  OrderSellerDto,
  OrderViewDto,
  SkuMatch,
  OrderAddressDto,
  OrderCustomerDto,
  OrderPaymentDto,
} from '@gondola/shared/orders/order-view.dto';
import type { Plain } from '@gondola/shared/schemas/plain';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { fulfilmentOf, acceptedPaymentOf, couponOf, giftCardOf, totalsOf } from './payment-and-delivery.ts';
import { codeAndName, momentText, recordOf, recordsOf, textOf, isDateSet } from './platform-fields.ts';
import { approximateWeight } from '@gondola/shared/units-and-money/quantity';
import { unitName } from '@gondola/shared/units-and-money/units';
import { numberOf } from '@gondola/shared/orders/read-values';
import { isPureDate } from '@gondola/shared/time';

const ORIGINS: Readonly<Record<number, string>> = { 0: 'undefined', 1: 'app', 2: 'web' };

/** An order as the ERP sees it. */
export type OrderValues = Plain<OrderViewDto>;

export type OrderItem = Plain<OrderItemDto>;

export interface SkuOfItem {
  readonly skuExternalReference: string | null;
  readonly name: string | null;
  readonly match: SkuMatch;
}

/** Match of an item before its SKU is looked up. */
const UNMATCHED: SkuOfItem = { skuExternalReference: null, name: null, match: 'unknown' };

/**
 * Translates an order from the platform's fields (docs/platform.md, "Order") to the ERP's view: names of the contract,
 * money as decimal text digit by digit, times with −03:00, enums with names. Absent and null values become null;
 * nothing is computed or guessed.
 */
export function readOrderValues(order: JsonRecord, orderNumber: number): OrderValues {
  return {
    orderId: textOf(order['id']),
    orderNumber,
    createdAt: momentText(order['createdAt']),
    updatedAt: momentText(order['updatedAt']),
    origin: codeAndName(order['origin'], ORIGINS),
    fulfilment: fulfilmentOf(order),
    seller: sellerOf(recordOf(order['seller'])),
    currency: textOf(order['currency']),
    totals: totalsOf(order),
    coupon: couponOf(order),
    giftCard: giftCardOf(order),
    acceptedPayment: acceptedPaymentOf(recordOf(order['acceptedOrderDetails'])),
    customer: customerOf(recordOf(order['user'])),
    address: addressOf(recordOf(order['orderAddress'])),
    payments: recordsOf(order['paymentAttempts']).map(paymentOf),
    items: recordsOf(order['items']).map((item, index) => itemOf(item, index + 1)),
  };
}

/** View of an order of which only the number is known. */
export function unknownOrderValues(orderNumber: number, orderId: string | null): OrderValues {
  return { ...readOrderValues({}, orderNumber), orderId };
}

/** The selling shop. Its address fields are flat, and its `complement` is a shopper's `additionalInfo`. */
function sellerOf(seller: JsonRecord): OrderSellerDto {
  return {
    id: textOf(seller['id']),
    sellerCode: textOf(seller['sellerCode']),
    name: textOf(seller['name']),
    phone: textOf(seller['phoneNumber']),
    address: addressOf({ ...seller, additionalInfo: seller['complement'] ?? null }),
  };
}

/**
 * Translates one item. `id` is the product's GUID and `skuId` the SKU's; the platform sends neither a reference nor a
 * name (rule 11), so the item starts as not matched. The charged amounts are the platform's own (rule 12).
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
    orderedQuantity: numberOf(orderedQuantity),
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

/**
 * Parts of an order with personal data. They go to the ERP only: not to logs, and masked to the operations API.
 */

export function customerOf(user: JsonRecord): OrderCustomerDto {
  return {
    id: textOf(user['id']),
    firstName: textOf(user['firstName']),
    lastName: textOf(user['lastName']),
    email: textOf(user['email']),
    document: textOf(user['document']),
    phone: phoneOf(textOf(user['phoneDDI']), textOf(user['phoneNumber'])),
    birthDate: pureDateOf(user['birthDate']),
    gender: textOf(user['gender']),
  };
}

export function addressOf(address: JsonRecord): OrderAddressDto {
  return {
    street: textOf(address['street']),
    number: textOf(address['number']),
    additionalInfo: textOf(address['additionalInfo']),
    neighborhood: textOf(address['neighborhood']),
    city: textOf(address['city']),
    state: textOf(address['state']),
    country: textOf(address['country']),
    zipCode: textOf(address['zipCode']),
    reference: textOf(address['reference']),
  };
}

/** One payment attempt; method and provider are the names inside `serviceProviderPaymentMethod`. */
function paymentOf(attempt: JsonRecord): OrderPaymentDto {
  const way = recordOf(attempt['serviceProviderPaymentMethod']);
  return {
    method: textOf(recordOf(way['paymentMethod'])['name']),
    provider: textOf(recordOf(way['contractServiceProvider'])['name']),
    brand: textOf(attempt['brand']),
    status: codeAndName(attempt['status']),
    value: moneyText(attempt['value']),
    transactionId: textOf(attempt['transactionId']),
    authCode: textOf(attempt['authCode']),
  };
}

function phoneOf(ddi: string | null, number: string | null): string | null {
  return number === null ? null : `${ddi ?? ''}${number}`;
}

/** A birthday is a calendar date; the platform's time of day behind it is dropped (rule 13). */
function pureDateOf(value: JsonValue | undefined): string | null {
  const date = isDateSet(value) ? value.slice(0, 'YYYY-MM-DD'.length) : null;
  return isPureDate(date) ? date : null;
}
