import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { numberOf } from '@gondola/shared/orders/read-values';
import { isPureDate } from '@gondola/shared/time';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { fulfilmentOf, giftCardOf, totalsOf } from './payment-and-delivery.ts';
import { isDateSet, momentText, recordOf, recordsOf } from './platform-fields.ts';

/** Most entries of the list: an order of thousands of items may have one in each. */
const MOST_ENTRIES = 50;

/** Amounts of `acceptedOrderDetails` and `subtotal`, with their names in the ERP's view. */
const TOTALS = {
  subtotal: 'subtotal',
  discount: 'discount',
  couponDiscount: 'couponDiscount',
  giftcardDiscount: 'giftCard',
  frete: 'freight',
  total: 'total',
} as const;

const ITEM_AMOUNTS = {
  salePrice: 'salePrice',
  totalPerProduct: 'gross',
  discountApplied: 'discount',
  manualPrice: 'net',
} as const;

/**
 * Names fields of the ERP's view whose value in the platform's fields was not understood, so that they are null without
 * being unset, and lists that the platform did not send, so that they are empty without being known to be (guarantee
 * 6). Items are named by their line, from 1. Empty for none, and for an order of which only the number is known.
 */
export function unreadFields(order: JsonRecord | null): string[] {
  if (order === null) return [];
  const { windowStart, windowEnd } = fulfilmentOf(order);
  const details = recordOf(order['acceptedOrderDetails']);
  const fields: [name: string, isUnread: boolean][] = [
    ['createdAt', isUnreadTime(order['createdAt'])],
    ['updatedAt', isUnreadTime(order['updatedAt'])],
    ['fulfilment.windowStart', windowStart === null && isWindowGiven(details, 'Start')],
    ['fulfilment.windowEnd', windowEnd === null && isWindowGiven(details, 'End')],
    ...unreadTotals(order, details),
    ['giftCard.amount', isGiftCardUnread(order, details)],
    ['acceptedPayment.installments', isSet(details['installments']) && numberOf(details['installments']) === null],
    ['acceptedPayment.cashChange', isUnreadAmount(details['cashChange'])],
    ['customer.birthDate', isUnreadDate(recordOf(order['user'])['birthDate'])],
    // Absent in a reduced payload, and in an erased order.
    ['payments', order['paymentAttempts'] !== undefined && !Array.isArray(order['paymentAttempts'])],
    ['items', !Array.isArray(order['items'])],
  ];
  const names = fields.flatMap(([name, isUnread]) => (isUnread ? [name] : []));
  return [...names, ...unreadPayments(order), ...unreadItems(order)].slice(0, MOST_ENTRIES);
}

/** Totals that are null in the view, though a block of the order has a value for them. */
function unreadTotals(order: JsonRecord, details: JsonRecord): [name: string, isUnread: boolean][] {
  const totals = totalsOf(order);
  const giftCard = { giftcardDiscount: recordOf(order['giftcard'])['appliedAmount'] ?? null };
  const blocks: JsonRecord[] = [details, recordOf(order['subtotal']), giftCard];
  return Object.entries(TOTALS).map(([key, name]) => {
    return [`totals.${name}`, totals[name] === null && blocks.some((block) => isSet(block[key]))];
  });
}

function isGiftCardUnread(order: JsonRecord, details: JsonRecord): boolean {
  const amounts = [recordOf(order['giftcard'])['appliedAmount'], details['giftcardDiscount']];
  return giftCardOf(order)?.amount === null && amounts.some(isSet);
}

function unreadPayments(order: JsonRecord): string[] {
  return recordsOf(order['paymentAttempts']).flatMap(({ value }, index) =>
    isUnreadAmount(value) ? [`payments[${index + 1}].value`] : [],
  );
}

function unreadItems(order: JsonRecord): string[] {
  return recordsOf(order['items']).flatMap((item, index) => {
    const { orderedQuantity } = item;
    const names = Object.entries(ITEM_AMOUNTS).flatMap(([key, name]) => (isUnreadAmount(item[key]) ? [name] : []));
    const isCountUnread = isSet(orderedQuantity) && numberOf(orderedQuantity) === null;
    return [...(isCountUnread ? ['orderedQuantity'] : []), ...names].map((name) => `items[${index + 1}].${name}`);
  });
}

function isUnreadAmount(value: JsonValue | undefined): boolean {
  return isSet(value) && moneyText(value) === null;
}

function isUnreadTime(value: JsonValue | undefined): boolean {
  return isSet(value) && (typeof value !== 'string' || isDateSet(value)) && momentText(value) === null;
}

function isUnreadDate(value: JsonValue | undefined): boolean {
  return isSet(value) && (!isText(value) || (isDateSet(value) && !isPureDate(value.slice(0, 'YYYY-MM-DD'.length))));
}

/** True if a block of the order has such an end of its window; blocks of other modalities have no date. */
function isWindowGiven(details: JsonRecord, end: 'Start' | 'End'): boolean {
  const day = details['scheduledDate'];
  const isScheduled = isSet(day) && (!isText(day) || isDateSet(day));
  return (isScheduled && isSet(details[`scheduled${end}Time`])) || isUnreadTime(details[`express${end}Date`]);
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}
