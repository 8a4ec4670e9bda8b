/** Example answers of the logs. A nullable value is null in them, or in one entry of a list. */

const A_GUID = '11111111-1111-4111-8111-111111111111';

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
  outcome: 'waiting',
  orderNumber: null,
  notifications: [{ seq: 1, eventType: 'ProductWithSKUs_Created', status: null, state: 'delivered', attempts: 1 }],
};

const REJECTION = {
  at: '2026-11-20T13:15:00.120Z',
  eventType: 'ProductWithSKUs_CreationFailed',
  about: '4711',
  sku: null,
  error: {
    statusCode: 400,
    validationErrors: [{ id: 1, key: 'Slug', validation: 'is already in use by another product.' }],
  },
};
/** A record without its reference is about nothing. */
export const REJECTIONS = [REJECTION, { ...REJECTION, about: null }];

const NOTIFICATION = {
  eventType: 'Order_Updated',
  operationId: A_GUID,
  contractAccountId: A_GUID,
  orderNumber: null,
  status: null,
  reference: null,
  body: null,
  bodyBase64: 'eyJvcGVyYXRpb25JZCI6Ii4uLiJ9',
};
const AT = '2026-11-20T13:15:00.120Z';
export const DEAD_LETTERS = [{ seq: 7, at: AT, ...NOTIFICATION, attempts: 3 }];
export const DELIVERIES = [
  { ...NOTIFICATION, seq: 1, at: AT, attempt: 1, answer: null, notification: 7 },
  { ...NOTIFICATION, seq: 2, at: AT, attempt: 2, answer: 200, notification: 7 },
];
export const NOTIFICATIONS = [
  {
    ...NOTIFICATION,
    seq: 7,
    state: 'delivered',
    createdAt: AT,
    dueAt: AT,
    endedAt: null,
    attempts: [{ attempt: 1, at: AT, answer: null, seq: null }],
  },
];

const CALL = {
  at: '2026-11-20T13:15:00.000Z',
  method: 'PATCH',
  path: '/v1/Orders/100234/status',
  contractAccountId: null,
  operationId: null,
  faults: ['delay'],
};
export const REQUESTS = [
  { ...CALL, seq: 1, query: 'a=b', status: 400, refusal: null, body: null },
  {
    ...CALL,
    seq: 2,
    query: null,
    status: null,
    refusal: { code: 'NOT_JSON', message: '' },
    body: { status: 'SHIPPED' },
  },
];
