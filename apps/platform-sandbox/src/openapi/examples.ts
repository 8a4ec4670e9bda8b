import { A_GUID } from './schemas.ts';

/** Example answers of the admin API. A nullable value is null in them, or in one entry of a list. */

export const SHOP_ORDER = {
  number: 100234,
  id: A_GUID,
  contractAccountId: A_GUID,
  status: 300,
  statusHistory: [
    { status: 100, at: '2026-11-20T13:14:58.000Z' },
    { status: 300, at: '2026-11-20T13:15:00.000Z' },
  ],
  items: [
    {
      skuExternalReference: '4711-1',
      skuId: A_GUID,
      productId: A_GUID,
      quantity: 0.312,
      unitOfMeasure: 'Kg',
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

export const OPERATION = {
  seq: 1,
  operationId: A_GUID,
  contractAccountId: A_GUID,
  kind: 'product',
  acceptedAt: '2026-11-20T13:15:00.000Z',
  endedAt: null,
  waiting: 1,
  taken: 24,
  silent: 0,
  crashed: 0,
  rejected: 1,
};

export const REJECTION = {
  at: '2026-11-20T13:15:00.120Z',
  eventType: 'ProductWithSKUs_CreationFailed',
  about: '4711',
  sku: null,
  error: {
    statusCode: 400,
    validationErrors: [{ id: 1, key: 'Slug', validation: 'is already in use by another product.' }],
  },
};

const NOTIFICATION = {
  at: '2026-11-20T13:15:00.120Z',
  eventType: 'Order_Updated',
  operationId: A_GUID,
  contractAccountId: A_GUID,
  bodyBase64: 'eyJvcGVyYXRpb25JZCI6Ii4uLiJ9',
};
export const DEAD_LETTERS = [{ ...NOTIFICATION, attempts: 3 }];
export const DELIVERIES = [
  { ...NOTIFICATION, seq: 1, attempt: 1, answer: null },
  { ...NOTIFICATION, seq: 2, attempt: 2, answer: 200 },
];

const CALL = { at: '2026-11-20T13:15:00.000Z', method: 'PATCH', path: '/v1/Orders/100234/status' };
export const REQUESTS = [
  { ...CALL, seq: 1, query: 'a=b', status: 400, body: null },
  { ...CALL, seq: 2, query: null, status: null, body: { status: 'SHIPPED' } },
];
