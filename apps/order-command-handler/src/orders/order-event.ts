import type { AttentionDto, OrderEventHeadDto, OrderEventType } from '@gondola/shared/orders/order-event.dto';
import { isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { MAX_VALUE_BYTES } from '@gondola/shared/limits';
import type { Plain } from '@gondola/shared/schemas/plain';
import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { orderStatus } from '@gondola/shared/orders/order-statuses';
import { partitionKey, subjectOf } from '@gondola/shared/topics/identities';
import { orderEventKey } from '@gondola/shared/topics/dedup-keys';
import type { OrderValues } from '../facts/order-values.ts';
import { ORDER_EVENTS } from './order-topics.ts';

/** The order events (contract, "Order events"). */

export type Attention = Plain<AttentionDto>;

/** An order event without `platform`, whose received bytes `encodeOrderEvent` inserts. */
export type OrderEvent = Plain<OrderEventHeadDto>;

/** An event to publish, before `eventRecord` adds values and names. */
export interface PendingEvent {
  readonly type: OrderEventType;
  readonly revision: number;
  readonly previousStatus: number | null;
  readonly status: number;
  readonly changes: readonly string[];
  /** Tells the ERP to stop picking until the next event. */
  readonly hold: boolean;
  readonly attention: Attention | null;
  /** The platform, a command, a read after a lost notification, or a release. */
  readonly cause: OrderEvent['cause'];
  readonly traceparent: string;
}

/**
 * An event as a record for `erp.orders.events.v1`: the whole view, the platform's `data` byte for byte (guarantee 6).
 */
export function eventRecord(
  pending: PendingEvent,
  about: {
    readonly tenant: string;
    readonly time: string;
    readonly order: OrderValues;
    readonly platform: Uint8Array | null;
    /** Names of fields that were not understood. */
    readonly unread: readonly string[];
  },
): OutRecord {
  const { tenant, time, order, platform, unread } = about;
  const identity = String(order.orderNumber);
  const { traceparent, previousStatus, status, ...rest } = pending;
  const event: OrderEvent = {
    id: orderEventKey(tenant, order.orderNumber, rest.revision),
    ...rest,
    tenant,
    time,
    orderNumber: order.orderNumber,
    previousStatus: previousStatus === null ? null : orderStatus(previousStatus),
    status: orderStatus(status),
    order,
    ...(unread.length > 0 && { unread }),
  };
  return {
    topic: ORDER_EVENTS,
    key: event.id,
    id: event.id,
    type: event.type,
    time,
    tenant,
    subject: subjectOf({ kind: 'order', identity }),
    partitionKey: partitionKey(tenant, 'order', identity),
    sequence: event.revision,
    ...(pending.cause.kind === 'command' && { commandId: pending.cause.commandId }),
    traceparent,
    value: encodeFittingOrderEvent(event, platform),
  };
}

const NULL = Buffer.from('null');
const PLATFORM = ',"platform":';
const CLOSING_BRACE = 0x7d;

/**
 * UTF-8 JSON of an event. Its last key, `platform`, is the platform's own `data`, byte for byte as received; null for
 * none. The caller took the bytes from a scanned envelope or another JSON text.
 */
export function encodeOrderEvent(event: OrderEvent, platform: Uint8Array | null): Buffer {
  const content = platform ?? NULL;
  const head = JSON.stringify(event);
  // The head's closing brace gives way to the last key.
  const braceAt = Buffer.byteLength(head) - 1;
  const start = braceAt + PLATFORM.length;
  const encoded = Buffer.allocUnsafe(start + content.byteLength + 1);
  encoded.write(head);
  encoded.write(PLATFORM, braceAt);
  encoded.set(content, start);
  encoded[encoded.length - 1] = CLOSING_BRACE;
  return encoded;
}

/** Longest text of a shortened view in characters; every field of the platform's document is far below it. */
const MOST_CHARACTERS = 1_000;

/**
 * Encodes an order event in at most `maxBytes` of UTF-8 JSON, the limit of its topic: like `encodeOrderEvent` if that
 * fits; else without `platform`, then with shortened texts, at last with as many items and payments as fit. `cut`
 * names the missing parts. An event with missing items has `hold`: picking half of an order cannot be undone.
 */
export function encodeFittingOrderEvent(
  event: OrderEvent,
  platform: Uint8Array | null,
  maxBytes = MAX_VALUE_BYTES,
): Buffer {
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
