import { DEFAULT_BEHAVIOUR } from '../switches/behaviour.ts';
import {
  A_GUID,
  ANYTHING,
  FLAG,
  GUID,
  INTEGER,
  NUMBER,
  SOME_OBJECT,
  TEXT,
  TIME,
  listOf,
  object,
  orNull,
} from './schemas.ts';

const BEHAVIOUR_KEYS = Object.keys(DEFAULT_BEHAVIOUR);

/** An accepted call, and how many of its items are where. */
const OPERATION = {
  seq: INTEGER,
  operationId: GUID,
  contractAccountId: GUID,
  kind: TEXT,
  acceptedAt: TIME,
  endedAt: { ...orNull(TIME), description: 'Null while an item waits' },
  waiting: INTEGER,
  taken: { ...INTEGER, description: 'Items that the core took: they entered, or were refused' },
  silent: { ...INTEGER, description: 'Items that a fault left without effect' },
  crashed: { ...INTEGER, description: 'Items at which the core failed' },
  rejected: { ...INTEGER, description: 'Refusals; a product with two bad SKUs has two' },
};

/** What the admin API answers. */
export const ADMIN_SCHEMAS: Record<string, object> = {
  ShopOrder: object({
    number: INTEGER,
    id: GUID,
    contractAccountId: GUID,
    status: INTEGER,
    statusHistory: listOf(object({ status: INTEGER, at: TIME })),
    items: listOf(
      object({
        skuExternalReference: TEXT,
        skuId: GUID,
        productId: GUID,
        quantity: { ...NUMBER, description: 'Units, or weight in the unit of measure' },
        unitOfMeasure: { enum: ['Un', 'Kg', 'G', 'Mg'] },
        orderedQuantity: { ...INTEGER, description: 'Units, or multiples of the sale step' },
        unitPrice: NUMBER,
        total: NUMBER,
      }),
    ),
    totals: object({
      subtotal: NUMBER,
      discount: NUMBER,
      couponDiscount: NUMBER,
      giftCard: NUMBER,
      freight: NUMBER,
      total: NUMBER,
    }),
    invoice: orNull(
      object({
        number: TEXT,
        issuanceDate: TIME,
        value: { ...INTEGER, description: 'Cents' },
        transactionId: GUID,
      }),
    ),
    invoiceFile: orNull(
      object({ fileName: TEXT, contentType: TEXT, size: INTEGER, sha256: TEXT, url: TEXT, uploads: INTEGER }),
    ),
    canBeCancelled: FLAG,
  }),
  ShopProduct: object({
    externalReference: TEXT,
    active: orNull(FLAG),
    visible: FLAG,
    hiddenBecause: orNull(TEXT),
    readModel: { ...SOME_OBJECT, description: 'As GET /v1/batch/Products/{externalReference} answers it' },
    images: listOf(object({ sku: TEXT, order: orNull(INTEGER), url: TEXT })),
  }),
  Delivery: object({
    seq: INTEGER,
    at: TIME,
    attempt: INTEGER,
    eventType: TEXT,
    operationId: GUID,
    contractAccountId: GUID,
    answer: { ...orNull(INTEGER), description: 'HTTP status; null when no answer came' },
    bodyBase64: TEXT,
  }),
  DeadLetter: object({
    at: TIME,
    eventType: TEXT,
    operationId: GUID,
    contractAccountId: GUID,
    attempts: INTEGER,
    bodyBase64: TEXT,
  }),
  Operation: object(OPERATION),
  OperationWithRejections: object({
    ...OPERATION,
    rejections: listOf(
      object({
        at: TIME,
        eventType: TEXT,
        about: { ...orNull(TEXT), description: 'Reference, order number or id of what was refused' },
        sku: { ...orNull(TEXT), description: 'Reference of the SKU, of a product that entered' },
        error: { ...SOME_OBJECT, description: 'As a notification carries it' },
      }),
    ),
  }),
  LoggedRequest: object({
    seq: INTEGER,
    at: TIME,
    method: TEXT,
    path: TEXT,
    query: orNull(TEXT),
    status: { ...orNull(INTEGER), description: 'Null for a call that was left without an answer' },
    body: { ...ANYTHING, description: 'JSON, of a form { parts }, else text; null where there was none' },
  }),
  SetFault: object({ id: TEXT, fault: SOME_OBJECT }),
  Switches: {
    type: 'object',
    required: BEHAVIOUR_KEYS,
    properties: Object.fromEntries(BEHAVIOUR_KEYS.map((key) => [key, ANYTHING])),
  },
  Quiet: object({ idle: FLAG, waitingOperations: INTEGER, pendingDeliveries: INTEGER }),
  Category: {
    ...SOME_OBJECT,
    required: ['id', 'externalReference', 'parentExternalReference', 'inMenu', 'children'],
    properties: {
      id: GUID,
      externalReference: TEXT,
      parentExternalReference: orNull(TEXT),
      inMenu: FLAG,
      children: listOf(TEXT),
    },
  },
  PlacedOrder: object({ number: INTEGER, id: GUID }),
};

export const SHOP_ORDER_EXAMPLE = {
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
  totals: { subtotal: 12.45, discount: 0, couponDiscount: 0, giftCard: 0, freight: 0, total: 12.45 },
  invoice: null,
  invoiceFile: null,
  canBeCancelled: true,
};

export const OPERATION_EXAMPLE = {
  seq: 1,
  operationId: A_GUID,
  contractAccountId: A_GUID,
  kind: 'product',
  acceptedAt: '2026-11-20T13:15:00.000Z',
  endedAt: '2026-11-20T13:15:00.120Z',
  waiting: 0,
  taken: 25,
  silent: 0,
  crashed: 0,
  rejected: 1,
};

export const DELIVERY_EXAMPLE = {
  seq: 1,
  at: '2026-11-20T13:15:00.120Z',
  attempt: 1,
  eventType: 'Order_Updated',
  operationId: A_GUID,
  contractAccountId: A_GUID,
  answer: 200,
  bodyBase64: 'eyJvcGVyYXRpb25JZCI6Ii4uLiJ9',
};
