import { isJsonArray, isJsonObject, keyOf, type Json, type JsonObject } from '../exact-json.ts';
import { ORDER_UPDATED_CODE } from '../webhooks/event-names.ts';
import { orderPayload } from './order-payload.ts';
import type { Order, Storefront } from './order.ts';

/** Which fields of a block v2 keeps; the document only says that these blocks are reduced to a subset. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  user: ['id', 'firstName', 'lastName', 'email', 'document', 'phoneDDI', 'phoneNumber'],
  items: [
    'id',
    'skuId',
    'ean',
    'reference',
    'orderedQuantity',
    'unitOfMeasure',
    'arithmeticFactor',
    'salePrice',
    'totalPerProduct',
    'manualPrice',
    'discountApplied',
  ],
  seller: ['id', 'name', 'sellerCode'],
  shippingPolicy: ['id', 'name', 'sellerId'],
  subtotal: ['subtotal', 'discount', 'couponDiscount', 'frete', 'total', 'giftcardDiscount'],
  acceptedOrderDetails: [
    'id',
    'paymentProvider',
    'paymentMethod',
    'subtotal',
    'discount',
    'frete',
    'total',
    'scheduledDate',
    'scheduledStartTime',
    'scheduledEndTime',
    'expressStartDate',
    'expressEndDate',
    'pickupPointName',
  ],
  paymentAttempts: ['serviceProviderPaymentMethod', 'status', 'transactionId', 'value', 'authCode'],
};

/**
 * The v2 object of `webhook-payload` (docs/platform.md, "Reading an order payload on demand"): tenant and numeric event
 * type inside, neither
 * `operationId` nor `relatedEntity`, seven blocks reduced.
 */
export function orderPayloadV2(order: Order, shop: Storefront): JsonObject {
  const full = orderPayload(order, shop);
  const reduced = Object.entries(full).map(([key, value]) => [key, reduce(value, KEPT[key])] as const);
  return {
    contractAccountId: order.contractAccountId,
    eventType: ORDER_UPDATED_CODE,
    ...Object.fromEntries(reduced),
  };
}

function reduce(value: Json, kept: readonly string[] | undefined): Json {
  if (kept === undefined) return value;
  if (isJsonArray(value)) return value.map((entry) => reduce(entry, kept));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(kept.map((key) => [key, keyOf(value, key) ?? null]));
}
