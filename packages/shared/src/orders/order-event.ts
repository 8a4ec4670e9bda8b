import { orderEventKey } from '../topics/dedup-keys.ts';
import type { CodeAndName, OrderStatusEvent } from './order-statuses.ts';
import type { Quantity } from '../units-and-money/quantity.ts';

/**
 * The order events and the view they carry (contract, "Order events"). Types and names only: the fold is the order
 * app's.
 */

/** The events of statuses, and those of none: the first one of an order, one of values alone, one for people. */
export type OrderEventType = OrderStatusEvent | 'OrderApproved' | 'OrderChanged' | 'OrderNeedsAttention';

type AttentionCode =
  | 'PAID_NOTICE_MISSING'
  | 'NOT_PREPARED'
  | 'PICKING_UNCONFIRMED'
  | 'PDF_MISSING'
  | 'NOT_INVOICED'
  | 'CANCEL_UNFINISHED'
  | 'REFUND_UNFINISHED';

/** Why an order needs somebody; `since` is ISO 8601 with an offset. */
export interface Attention {
  readonly code: AttentionCode;
  readonly since: string;
  readonly waitsFor: 'erp' | 'platform' | 'gondola' | 'operator';
}

/** What brought it about: the platform, an own command, a read after a lost notification, or a release. */
export type OrderEventCause =
  | { readonly kind: 'platform' | 'recovered' | 'released' }
  | { readonly kind: 'command'; readonly commandId: string };

/** How sure an item's SKU is: found by GUID, by reference and EAN, by more than one, or not at all (rule 11). */
export type SkuMatch = 'exact' | 'ean' | 'ambiguous' | 'unknown';

export interface OrderItemView {
  readonly line: number;
  readonly productId: string | null;
  readonly skuId: string | null;
  readonly skuExternalReference: string | null;
  readonly name: string | null;
  readonly match: SkuMatch;
  readonly ean: string | null;
  readonly reference: string | null;
  readonly unitOfMeasure: string | null;
  /** Units, or multiples of the sale step; never a weight. */
  readonly orderedQuantity: number | null;
  /** Null for `Un`. */
  readonly approximateWeight: Quantity | null;
  readonly salePrice: string | null;
  /** The platform's `totalPerProduct`: what is charged before discounts are apportioned. */
  readonly gross: string | null;
  readonly discount: string | null;
  /** The platform's `manualPrice`: what sums into the total. */
  readonly net: string | null;
}

export interface OrderTotals {
  readonly subtotal: string | null;
  readonly discount: string | null;
  readonly couponDiscount: string | null;
  readonly giftCard: string | null;
  readonly freight: string | null;
  readonly total: string | null;
}

/** Personal data. */
export interface OrderCustomer {
  readonly id: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly document: string | null;
  /** Country code and number together. */
  readonly phone: string | null;
  /** A pure date. */
  readonly birthDate: string | null;
  readonly gender: string | null;
}

/** Personal data. */
export interface OrderAddress {
  readonly street: string | null;
  readonly number: string | null;
  readonly additionalInfo: string | null;
  readonly neighborhood: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly zipCode: string | null;
  readonly reference: string | null;
}

/** One payment attempt. */
export interface OrderPayment {
  readonly method: string | null;
  readonly provider: string | null;
  readonly brand: string | null;
  readonly status: CodeAndName | null;
  readonly value: string | null;
  readonly transactionId: string | null;
  readonly authCode: string | null;
}

export interface OrderFulfilment {
  readonly type: CodeAndName | null;
  readonly windowStart: string | null;
  readonly windowEnd: string | null;
  readonly pickupPoint: string | null;
}

/**
 * The whole of an order as the ERP sees it. Money and weights are decimal text, times have an offset, absent values are
 * null.
 */
export interface OrderView {
  readonly orderId: string | null;
  readonly orderNumber: number;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly origin: CodeAndName | null;
  readonly fulfilment: OrderFulfilment;
  readonly seller: { readonly sellerCode: string | null };
  readonly currency: string | null;
  readonly totals: OrderTotals;
  readonly customer: OrderCustomer;
  readonly address: OrderAddress;
  readonly payments: readonly OrderPayment[];
  readonly items: readonly OrderItemView[];
}

/** An order event but for `platform`, whose bytes `encodeOrderEvent` puts in as they came. */
export interface OrderEvent {
  readonly id: string;
  readonly type: OrderEventType;
  readonly tenant: string;
  readonly time: string;
  readonly orderNumber: number;
  /** 1, 2, 3 … per order, without gaps. */
  readonly revision: number;
  /** The status before, own commands' included; null on the order's first event. */
  readonly previousStatus: CodeAndName | null;
  readonly status: CodeAndName;
  readonly changes: readonly string[];
  /** True while the ERP must not go on picking. */
  readonly hold: boolean;
  readonly attention: Attention | null;
  readonly cause: OrderEventCause;
  readonly order: OrderView;
  /**
   * What was shortened or left out of an event that was too large for its topic (`platform`, `order`, `order.items`);
   * absent otherwise.
   */
  readonly cut?: readonly string[];
}

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
