const A_GUID = '11111111-1111-4111-8111-111111111111';

/** An order as the admin API shows it. A nullable value is null. */
export const SHOP_ORDER = {
  number: 100234,
  id: A_GUID,
  contractAccountId: A_GUID,
  status: 300,
  statusName: 'PAYMENT_APPROVED',
  paid: 'approved',
  createdAt: '2026-11-20T13:14:58.000Z',
  updatedAt: '2026-11-20T13:15:00.000Z',
  deliveryType: 1,
  origin: 2,
  statusHistory: [
    { status: 100, at: '2026-11-20T13:14:58.000Z' },
    { status: 300, at: '2026-11-20T13:15:00.000Z' },
  ],
  items: [
    {
      skuExternalReference: '4711-1',
      name: null,
      skuId: A_GUID,
      productId: A_GUID,
      quantity: 0.312,
      unitOfMeasure: 'Kg',
      isWeighable: true,
      saleStep: 0.1,
      orderedQuantity: 3,
      unitPrice: 39.9,
      total: 12.45,
    },
  ],
  totals: { subtotal: 12.45, discount: 0.5, couponDiscount: 0.5, giftCard: 0.5, freight: 9.9, total: 20.85 },
  invoice: null,
  invoiceFile: null,
  canBeCancelled: true,
};
