import { type JsonRecord, type JsonValue, isPlainRecord } from '@gondola/shared/json/json-digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { platformMoment } from '@gondola/shared/time';
import { addressOf, customerOf, paymentOf } from './order-people.ts';
import { codeAndName, recordOf, recordsOf, textOf } from './platform-fields.ts';
import { approximateWeight } from '@gondola/shared/units-and-money/quantity';
import { unitName } from '@gondola/shared/units-and-money/units';

const ORIGINS: Readonly<Record<number, string>> = { 0: 'undefined', 1: 'app', 2: 'web' };
const DELIVERY_TYPES: Readonly<Record<number, string>> = { 1: 'scheduled', 2: 'express', 3: 'pickup' };

/** An order as the ERP sees it. */
export type OrderValues = ReturnType<typeof readOrderValues>;

export type OrderItem = ReturnType<typeof itemOf>;

/** How sure an item's SKU is: found by GUID, by reference and EAN, by more than one, or not at all (rule 11). */
export type SkuMatch = 'exact' | 'ean' | 'ambiguous' | 'unknown';

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
export function readOrderValues(data: JsonRecord, orderNumber: number) {
  const seller = recordOf(data['seller']);
  return {
    orderId: textOf(data['id']),
    orderNumber,
    createdAt: momentText(data['createdAt']),
    updatedAt: momentText(data['updatedAt']),
    origin: codeAndName(data['origin'], ORIGINS),
    fulfilment: fulfilmentOf(data),
    seller: { sellerCode: textOf(seller['sellerCode']) },
    currency: textOf(data['currency']),
    totals: totalsOf(data),
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
 * What was accepted by the customer goes before the cart's subtotal, amount by amount, as for the final price (rule
 * 14).
 */
function totalsOf(data: JsonRecord) {
  const blocks = [recordOf(data['acceptedOrderDetails']), recordOf(data['subtotal'])];
  const amount = (key: string): string | null => firstMoney(blocks.map((block) => block[key]));
  return {
    subtotal: amount('subtotal'),
    discount: amount('discount'),
    couponDiscount: amount('couponDiscount'),
    giftCard: amount('giftcardDiscount') ?? moneyText(recordOf(data['giftcard'])['appliedAmount']),
    freight: amount('frete'),
    total: amount('total'),
  };
}

function firstMoney(values: readonly (JsonValue | undefined)[]): string | null {
  return values.map(moneyText).find((text) => text !== null) ?? null;
}

/** A scheduled window is a day and two times of day; an express one has two times; a pickup may have either. */
function fulfilmentOf(data: JsonRecord) {
  const details = recordOf(data['acceptedOrderDetails']);
  const day = details['scheduledDate'];
  return {
    type: codeAndName(data['deliveryType'], DELIVERY_TYPES),
    windowStart: timeOfDay(day, details['scheduledStartTime']) ?? momentText(details['expressStartDate']),
    windowEnd: timeOfDay(day, details['scheduledEndTime']) ?? momentText(details['expressEndDate']),
    pickupPoint: pickupPointOf(data, details),
  };
}

function pickupPointOf(data: JsonRecord, details: JsonRecord): string | null {
  const point = recordOf(data['shippingPolicy'])['pickupPoint'];
  return textOf(details['pickupPointName']) ?? (isPlainRecord(point) ? textOf(point['name']) : null);
}

/**
 * `2026-11-21T00:00:00` and `08:00` or `08:00:00` as one local time; a full local time in the second place counts as it
 * is.
 */
function timeOfDay(day: JsonValue | undefined, time: JsonValue | undefined): string | null {
  const whole = momentText(time);
  if (whole !== null || typeof day !== 'string' || typeof time !== 'string') return whole;
  const seconds = /^\d{2}:\d{2}$/.test(time) ? `${time}:00` : time;
  return momentText(`${day.slice(0, 'YYYY-MM-DD'.length)}T${seconds}`);
}

/** A local time of the platform with its offset (rule 13). */
function momentText(value: JsonValue | undefined): string | null {
  return platformMoment(value)?.text ?? null;
}

/**
 * One item of an order. `id` is the product's GUID and `skuId` the SKU's; the platform sends neither a reference nor a
 * name (rule 11), so the SKU is marked as not matched and the item goes out. What is charged are the platform's own
 * amounts (rule 12).
 */
function itemOf(item: JsonRecord, line: number) {
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
    /** Units, or multiples of the sale step; never a weight. */
    orderedQuantity: typeof orderedQuantity === 'number' ? orderedQuantity : null,
    /** Null for `Un`. */
    approximateWeight: approximateWeight({
      orderedQuantity,
      arithmeticFactor,
      unitOfMeasure: unitOfMeasure ?? undefined,
    }),
    salePrice: moneyText(item['salePrice']),
    /** What is charged before discounts are apportioned. */
    gross: moneyText(item['totalPerProduct']),
    discount: moneyText(item['discountApplied']),
    /** What sums into the total. */
    net: moneyText(item['manualPrice']),
  };
}

/** Text in the integration API, a number in core routes (docs/platform.md, "Unit of measure type rule"). */
function unitOf(value: JsonValue | undefined): string | null {
  return typeof value === 'number' ? unitName(value) : textOf(value);
}
