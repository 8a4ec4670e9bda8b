import type { StoredFile } from '../files/stored-file.ts';
import { subtotalCents } from '../orders/measured-line.ts';
import { canBeCancelled } from '../orders/order-transitions.ts';
import { totalCents, type Order, type InvoiceFile, type RegisteredInvoice } from '../orders/order.ts';
import { money, rawNumber, type JsonObject } from '../values/exact-json.ts';
import { utcMs } from '../values/local-time.ts';
import { discounts } from './checkout-terms.ts';

/** An order as the admin API shows it. Amounts are numbers with two decimals, times are UTC. */
export function orderView(order: Order, urlOf: (file: StoredFile) => string): JsonObject {
  const { discountCents, couponCents } = discounts(order);
  return {
    number: order.number,
    id: order.id,
    contractAccountId: order.contractAccountId,
    status: order.status,
    statusHistory: order.statusHistory.map(({ status, at }) => ({ status, at: utcMs(at) })),
    items: order.lines.map((line) => ({
      skuExternalReference: line.skuExternalReference,
      skuId: line.skuId,
      productId: line.productId,
      quantity: rawNumber(line.quantity),
      unitOfMeasure: line.unitOfMeasure,
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

/** `value` in cents, as registered. */
function invoiceView({ number, issuanceDate, valueCents, transactionId }: RegisteredInvoice): JsonObject {
  return { number, issuanceDate, value: valueCents, transactionId };
}

function invoiceFileView({ fileName, mediaType, size, sha256, uploads }: InvoiceFile, url: string): JsonObject {
  return { fileName, contentType: mediaType, size, sha256, url, uploads };
}
