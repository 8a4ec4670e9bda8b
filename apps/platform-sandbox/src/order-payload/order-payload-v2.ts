import type { Order, Storefront } from '../orders/order.ts';
import { isJsonArray, isJsonObject, keyOf, type Json, type JsonObject } from '../values/exact-json.ts';
import { ORDER_UPDATED_CODE } from '../webhooks/event-names.ts';
import { orderPayload } from './order-payload.ts';

/** Fields of the blocks in v2; the document only says that these blocks are reduced to a subset. */
const SUBSETS: Readonly<Record<string, readonly string[]>> = {
  user: words('id firstName lastName email document phoneDDI phoneNumber'),
  items: words(
    'id skuId ean reference orderedQuantity unitOfMeasure arithmeticFactor salePrice totalPerProduct manualPrice discountApplied',
  ),
  seller: words('id name sellerCode'),
  shippingPolicy: words('id name sellerId'),
  subtotal: words('subtotal discount couponDiscount frete total giftcardDiscount'),
  acceptedOrderDetails: words(
    'id paymentProvider paymentMethod subtotal discount frete total scheduledDate scheduledStartTime scheduledEndTime ' +
      'expressStartDate expressEndDate pickupPointName',
  ),
  paymentAttempts: words('serviceProviderPaymentMethod status transactionId value authCode'),
};

function words(text: string): readonly string[] {
  return text.split(' ');
}

/**
 * The v2 object of `webhook-payload` (docs/platform.md, "Reading an order payload on demand"): with tenant and
 * numeric event type, without `operationId` and `relatedEntity`, and with seven reduced blocks.
 */
export function orderPayloadV2(order: Order, shop: Storefront, status: number = order.status): JsonObject {
  const full = orderPayload(order, shop, status);
  const reduced = Object.entries(full).map(([key, value]) => [key, reduce(value, SUBSETS[key])] as const);
  return {
    contractAccountId: order.contractAccountId,
    eventType: ORDER_UPDATED_CODE,
    ...Object.fromEntries(reduced),
  };
}

function reduce(value: Json, fields: readonly string[] | undefined): Json {
  if (fields === undefined) return value;
  if (isJsonArray(value)) return value.map((entry) => reduce(entry, fields));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(fields.map((key) => [key, keyOf(value, key) ?? null]));
}
