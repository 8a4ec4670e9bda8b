/** An order of the month that an audit compares; amounts are numbers as the platform writes them. */
export interface OrderOfMonth {
  readonly number: number;
  readonly status?: number;
  readonly createdAt?: string;
  readonly total?: string;
  readonly freight?: string;
  readonly discount?: string;
  readonly quantity?: number;
  readonly price?: string;
  readonly lines?: number;
  /** Number and value of the registered invoice. */
  readonly invoice?: { readonly number: string; readonly value: string };
  readonly invoiceUrl?: string | null;
}

/** The order in the platform's fields, with the same identity whatever else differs. */
export function auditedOrder(order: OrderOfMonth): object {
  const { number, status = 300, createdAt = '2024-10-20T09:00:00', total = '12.45', freight = '2.00' } = order;
  const { discount = '0.00', quantity = 2, price = '5.25', lines = 1, invoice, invoiceUrl = null } = order;
  return {
    id: `0b000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    number,
    status,
    createdAt,
    updatedAt: '2024-10-20T09:30:00',
    origin: 2,
    deliveryType: 1,
    currency: 'BRL',
    invoiceUrl,
    user: { id: 'u-1', firstName: 'Cliente Teste 01', email: 'cliente.teste01@example.com' },
    items: Array.from({ length: lines }, (_, index) => ({
      id: `p-${index}`,
      skuId: `s-${index}`,
      ean: '7891000100103',
      reference: `r-${index}`,
      orderedQuantity: quantity,
      unitOfMeasure: 'Un',
      salePrice: Number(price),
      totalPerProduct: 10.45,
      manualPrice: 10.45,
      discountApplied: 0,
    })),
    acceptedOrderDetails: {
      subtotal: 10.45,
      discount: Number(discount),
      frete: Number(freight),
      total: Number(total),
    },
    orderInvoiced:
      invoice === undefined
        ? null
        : { number: invoice.number, issuanceDate: '2024-10-20T10:00:00', value: Number(invoice.value) },
  };
}
