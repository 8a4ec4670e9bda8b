import type { JsonValue } from '@gondola/shared/json/json-digits';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { MAX_VALUE_BYTES } from '@gondola/shared/limits';
import { type OrderEvent, encodeOrderEvent } from './order-event.ts';
import type { OrderValues } from './order-values.ts';

/** Characters of a text of the view; every field of the platform's document is far below it. */
const MOST_CHARACTERS = 1_000;

/**
 * An order event that its topic takes, in at most `maxBytes` of UTF-8 JSON: as `encodeOrderEvent` makes it where it
 * fits; else without `platform`, then with long texts of the view shortened, in the end with as many items and payments
 * as fit, and `cut` names what is missing. An event whose order is not whole holds the ERP up (`hold`): an order that
 * is picked from half its items cannot be put right.
 */
export function encodeFittingOrderEvent(
  event: OrderEvent,
  platform: Uint8Array | null,
  maxBytes = MAX_VALUE_BYTES,
): Uint8Array {
  const whole = encodeOrderEvent(event, platform);
  if (whole.byteLength <= maxBytes) return whole;
  const cut = platform === null ? [] : ['platform'];
  const bare = encodeOrderEvent({ ...event, cut }, null);
  if (bare.byteLength <= maxBytes) return bare;
  const order = shortened(event.order as unknown as JsonValue) as unknown as OrderValues;
  const short = encodeOrderEvent({ ...event, hold: true, cut: [...cut, 'order'], order }, null);
  if (short.byteLength <= maxBytes) return short;
  const payments = order.payments.slice(0, 10);
  let items = order.items;
  const encode = () =>
    encodeOrderEvent(
      { ...event, hold: true, cut: [...cut, 'order', 'order.items'], order: { ...order, payments, items } },
      null,
    );
  let encoded = encode();
  while (encoded.byteLength > maxBytes && items.length > 0) {
    items = items.slice(0, Math.floor(items.length / 2));
    encoded = encode();
  }
  return encoded;
}

/** The same value with its long texts shortened. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    return value.length <= MOST_CHARACTERS ? value : `${value.slice(0, MOST_CHARACTERS).toWellFormed()}…`;
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => shortened(item));
  if (!isPlainRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]));
}
