import type { StoredFile } from '../files/stored-file.ts';
import { discounts } from '../orders/checkout-terms.ts';
import { isWeighable, saleStep, subtotalCents } from '../orders/measured-line.ts';
import { ORDER_STATUSES, statusDefinition, statusName } from '../orders/order-status.ts';
import { canBeCancelled } from '../orders/order-transitions.ts';
import { totalCents, type Order, type InvoiceFile, type Payment, type RegisteredInvoice } from '../orders/order.ts';
import { money, rawNumber, type JsonObject } from '../values/exact-json.ts';
import { utcMs } from '../values/local-time.ts';

/** An order as the admin API shows it. Amounts are numbers with two decimals, times are UTC. */
export function orderView(
  order: Order,
  { urlOf, nameOf }: { urlOf: (file: StoredFile) => string; nameOf: (skuExternalReference: string) => string | null },
): JsonObject {
  const { discountCents, couponCents } = discounts(order);
  return {
    number: order.number,
    id: order.id,
    contractAccountId: order.contractAccountId,
    status: order.status,
    statusName: statusName(order.status),
    paid: paymentOf(order),
    createdAt: utcMs(order.createdAt),
    updatedAt: utcMs(order.updatedAt),
    deliveryType: order.deliveryType,
    origin: order.origin,
    statusHistory: order.statusHistory.map(({ status, at }) => ({ status, at: utcMs(at) })),
    items: order.lines.map((line) => ({
      skuExternalReference: line.skuExternalReference,
      name: nameOf(line.skuExternalReference),
      skuId: line.skuId,
      productId: line.productId,
      quantity: rawNumber(line.quantity),
      unitOfMeasure: line.unitOfMeasure,
      isWeighable: isWeighable(line),
      saleStep: rawNumber(saleStep(line).toFixed()),
      orderedQuantity: line.orderedQuantity,
      unitPrice: money(line.unitPriceCents),
      total: money(line.totalCents),
    })),
    totals: {
      subtotal: money(subtotalCents(order)),
      discount: money(discountCents),
      couponDiscount: money(couponCents),
      giftCard: money(order.giftCardCents),
      freight: money(order.freightCents),
      total: money(totalCents(order)),
    },
    invoice: order.invoice && invoiceView(order.invoice),
    invoiceFile: order.invoiceFile && invoiceFileView(order.invoiceFile, urlOf(order.invoiceFile)),
    canBeCancelled: canBeCancelled(order),
  };
}

export function paymentOf({ status }: Order): Payment {
  if (status === ORDER_STATUSES.PAYMENT_ERROR) return 'refused';
  return statusDefinition(status)?.isUnpaid === true ? 'pending' : 'approved';
}

/** `value` in cents, as registered. */
function invoiceView({ number, issuanceDate, valueCents, transactionId }: RegisteredInvoice): JsonObject {
  return { number, issuanceDate, value: valueCents, transactionId };
}

function invoiceFileView({ fileName, mediaType, size, sha256, uploads }: InvoiceFile, url: string): JsonObject {
  return { fileName, contentType: mediaType, size, sha256, url, uploads };
}
