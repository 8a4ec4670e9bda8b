import { filePath } from '../files/stored-file.ts';
import { orderInvoicedBlock } from '../orders/invoice.ts';
import { grossCents } from '../orders/measured-line.ts';
import { canBeCancelled } from '../orders/order-transitions.ts';
import type { Order, OrderLine, Storefront } from '../orders/order.ts';
import { money, rawNumber, type Json, type JsonObject } from '../values/exact-json.ts';
import { localDateTime } from '../values/local-time.ts';
import { unitCode } from '../values/unit-of-measure.ts';
import {
  acceptedOrderDetailsBlock,
  addressBlock,
  giftcardBlock,
  paymentAttemptBlock,
  sellerBlock,
  shippingPolicyBlock,
  subtotalBlock,
  userBlock,
} from './payload-blocks.ts';

/**
 * `data` of an order notification, and the v1 answer of `webhook-payload` (docs/platform.md, "Order"). Every field
 * of the document's tables is present, nulls included; dates are UTC−3 without a zone; money is a number in
 * currency units. `status` is the order's, except in notifications and on demand in reads of 1300, which no order has.
 */
export function orderPayload(order: Order, shop: Storefront, status: number = order.status): JsonObject {
  return {
    id: order.id,
    number: order.number,
    status,
    createdAt: localDateTime(order.createdAt),
    updatedAt: localDateTime(order.updatedAt),
    deviceId: null,
    origin: order.origin,
    deliveryType: order.deliveryType,
    currency: 'BRL',
    itemAmount: order.lines.length,
    canBeCancelled: canBeCancelled(order),
    invoiceUrl: invoiceUrl(order, shop),
    couponId: order.coupon?.id ?? null,
    transactionId: order.ids.transaction,
    acquirerTransactionId: order.ids.acquirerTransaction,
    user: userBlock(order),
    orderAddressId: order.ids.address,
    orderAddress: addressBlock(order),
    items: order.lines.map((line) => itemBlock(order, line, line.unitOfMeasure)),
    orderStatusRegistry: null,
    seller: sellerBlock(shop),
    shippingPolicy: shippingPolicyBlock(order, shop),
    subtotal: subtotalBlock(order, shop),
    acceptedOrderDetails: acceptedOrderDetailsBlock(order, shop),
    paymentAttempts: [paymentAttemptBlock(order, shop)],
    orderInvoiced: null,
    giftcard: giftcardBlock(order),
    ...registrationShown(order, shop),
  };
}

/** The document does not show how a payload shows a registered invoice. */
function registrationShown({ invoice }: Order, { registrationField }: Storefront): JsonObject {
  return registrationField === null ? {} : { [registrationField]: orderInvoicedBlock(invoice) };
}

/** The customer can download the invoice once it is registered and its file is attached. */
function invoiceUrl({ invoice, invoiceFile }: Order, { baseUrl }: Storefront): string | null {
  return invoice && invoiceFile ? `${baseUrl}${filePath(invoiceFile)}` : null;
}

/** One entry of `items[]`. `unitOfMeasure` is text in the integration API and a number in core routes. */
function itemBlock({ promotion }: Order, line: OrderLine, unitOfMeasure: Json): JsonObject {
  return {
    id: line.productId,
    skuId: line.skuId,
    ean: line.ean,
    reference: line.reference,
    orderedQuantity: line.orderedQuantity,
    unitOfMeasure,
    arithmeticFactor: line.arithmeticFactor === null ? null : rawNumber(line.arithmeticFactor),
    minimumWeightForSale: line.minimumWeightForSale === null ? null : rawNumber(line.minimumWeightForSale),
    brandId: line.brandId,
    categoryId: line.categoryId,
    commercialPolicyId: line.commercialPolicyId,
    promotionName: promotion?.name ?? null,
    salePrice: money(line.unitPriceCents),
    arithmeticFactorPrice: money(line.stepPriceCents),
    totalPerProduct: money(grossCents(line)),
    priceStartDateTime: null,
    priceEndDateTime: null,
    manualPrice: money(line.totalCents),
    discountApplied: money(grossCents(line) - line.totalCents),
  };
}

/**
 * Answer of the core's order details route: the order, with the unit of measure as a number (docs/platform.md,
 * "Unit of measure type rule").
 */
export function coreOrderDetails(order: Order, shop: Storefront): JsonObject {
  return {
    ...orderPayload(order, shop),
    contractAccountId: order.contractAccountId,
    items: order.lines.map((line) => itemBlock(order, line, unitCode(line.unitOfMeasure))),
  };
}
