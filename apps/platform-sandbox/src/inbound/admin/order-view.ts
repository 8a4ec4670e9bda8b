import type { Storefronts } from '../../application/storefronts.ts';
import { money, rawNumber, type JsonObject } from '../../domain/exact-json.ts';
import { utcMs } from '../../domain/local-time.ts';
import { discounts } from '../../domain/orders/checkout-terms.ts';
import { subtotalCents } from '../../domain/orders/measured-line.ts';
import { canBeCancelled } from '../../domain/orders/order-transitions.ts';
import { totalCents, type Order, type InvoiceFile, type RegisteredInvoice } from '../../domain/orders/order.ts';

/** An order as the admin API shows it. Amounts are numbers with two decimals, times UTC. */
export function orderView(order: Order, storefronts: Storefronts): JsonObject {
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
    invoiceFile: order.invoiceFile && invoiceFileView(order.invoiceFile, storefronts),
    canBeCancelled: canBeCancelled(order),
  };
}

/** `value` in cents, as it was registered. */
function invoiceView({ number, issuanceDate, valueCents, transactionId }: RegisteredInvoice): JsonObject {
  return { number, issuanceDate, value: valueCents, transactionId };
}

function invoiceFileView(file: InvoiceFile, storefronts: Storefronts): JsonObject {
  const { fileName, mediaType, size, sha256, uploads } = file;
  return { fileName, contentType: mediaType, size, sha256, url: storefronts.urlOf(file), uploads };
}
