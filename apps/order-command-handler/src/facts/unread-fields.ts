import { decimalTextOf } from '@gondola/shared/json/digits';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { numberOf } from '@gondola/shared/orders/read-values';
import { isPureDate } from '@gondola/shared/time';
import { fulfilmentOf } from './payment-and-delivery.ts';
import { isDateSet, momentText, recordOf, recordsOf } from './platform-fields.ts';

/** Most entries of the list: an order of thousands of items may have one in each. */
const MOST_ENTRIES = 50;

const ITEM_NUMBERS = {
  orderedQuantity: 'orderedQuantity',
  salePrice: 'salePrice',
  totalPerProduct: 'gross',
  discountApplied: 'discount',
  manualPrice: 'net',
} as const;

/**
 * Names fields of the ERP's view whose value in the platform's `data` was not understood, so that they are null without
 * being unset, and lists that the platform did not send, so that they are empty without being known to be (guarantee
 * 6). Items are named by their line, from 1. Empty for none, and for an order of which only the number is known.
 */
export function unreadFields(data: JsonRecord | null): string[] {
  if (data === null) return [];
  const { windowStart, windowEnd } = fulfilmentOf(data);
  const details = recordOf(data['acceptedOrderDetails']);
  const fields: [name: string, isUnread: boolean][] = [
    ['createdAt', isUnreadTime(data['createdAt'])],
    ['updatedAt', isUnreadTime(data['updatedAt'])],
    ['fulfilment.windowStart', windowStart === null && isWindowGiven(details, 'Start')],
    ['fulfilment.windowEnd', windowEnd === null && isWindowGiven(details, 'End')],
    ['customer.birthDate', isUnreadDate(recordOf(data['user'])['birthDate'])],
    // Absent in a reduced payload, and in an erased order.
    ['payments', data['paymentAttempts'] !== undefined && !Array.isArray(data['paymentAttempts'])],
    ['items', !Array.isArray(data['items'])],
  ];
  const names = fields.flatMap(([name, isUnread]) => (isUnread ? [name] : []));
  return [...names, ...unreadItems(data)].slice(0, MOST_ENTRIES);
}

function unreadItems(data: JsonRecord): string[] {
  return recordsOf(data['items']).flatMap((item, index) =>
    Object.entries(ITEM_NUMBERS).flatMap(([key, name]) => {
      const isRead = numberOf(item[key]) !== null || decimalTextOf(item[key]) !== null;
      return isSet(item[key]) && !isRead ? [`items[${index + 1}].${name}`] : [];
    }),
  );
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
