import type { AttentionDto, OrderEventHeadDto } from '@gondola/shared/dto/order-event.dto';
import { isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { MAX_VALUE_BYTES } from '@gondola/shared/limits';
import type { Plain } from '@gondola/shared/dto/plain';
import { orderEventKey } from '@gondola/shared/topics/dedup-keys';
import type { OrderValues } from '../values/order-values.ts';

/** The order events (contract, "Order events"). */

export type Attention = Plain<AttentionDto>;

/** What brought it about: the platform, an own command, a read after a lost notification, or a release. */
export type OrderEventCause = OrderEvent['cause'];

/** An order event but for `platform`, whose bytes `encodeOrderEvent` puts in as they came. */
export type OrderEvent = Plain<OrderEventHeadDto>;

/** An event with its dedup key as id. */
export function buildOrderEvent(event: Omit<OrderEvent, 'id'>): OrderEvent {
  return { id: orderEventKey(event.tenant, event.orderNumber, event.revision), ...event };
}

/**
 * The UTF-8 JSON of an event whose last key, `platform`, is the platform's own `data`, byte for byte as received; null
 * where there is none. The caller has taken the bytes from a scanned envelope or another JSON text.
 */
export function encodeOrderEvent(event: OrderEvent, platform: Uint8Array | null): Uint8Array {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${JSON.stringify(event).slice(0, -1)},"platform":`);
  const data = platform ?? encoder.encode('null');
  const bytes = new Uint8Array(head.length + data.length + 1);
  bytes.set(head);
  bytes.set(data, head.length);
  bytes.set(encoder.encode('}'), head.length + data.length);
  return bytes;
}

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
  const order = shortened(event.order) as unknown as OrderValues;
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
