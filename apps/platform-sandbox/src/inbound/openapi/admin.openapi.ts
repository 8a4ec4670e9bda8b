import type { OpenApiPart } from '@gondola/service-kit/http/openapi-document';
import { DEFAULT_BEHAVIOUR } from '../../domain/behaviour.ts';
import { IdleBody, RawBody, SenderBody } from '../admin/control-bodies.ts';
import { FaultsBody } from '../admin/fault-body.ts';
import { PurchaseBody, StatusBody } from '../admin/order-bodies.ts';
import { SwitchesBody } from '../admin/switches-body.ts';
import { TenantBody } from '../admin/tenant-body.ts';
import { ADMIN_SCHEMAS, A_GUID, DELIVERY_EXAMPLE, OPERATION_EXAMPLE, SHOP_ORDER_EXAMPLE } from './admin-schemas.ts';
import {
  GUID,
  INTEGER,
  SOME_OBJECT,
  inPath,
  inQuery,
  listOf,
  object,
  operation,
  orNull,
  ref,
  taken,
} from './operation.ts';

const NOT_FOUND = 'There is none';
const BODY_INVALID = 'The body does not fit; the message names all problems';
const NO_TOKEN = 'The operations token is missing or wrong';

const account = inQuery('contractAccountId', 'May be left out where there is one merchant only');
const after = inQuery('after', 'Entries behind this `seq`; 5,000 at most in one answer', INTEGER);
const reference = inPath('reference', 'externalReference');
const orderNumber = inPath('number', 'Number of the order', INTEGER);

const CHANGING = { 400: BODY_INVALID, 401: NO_TOKEN };
const READING = { 401: NO_TOKEN, 404: NOT_FOUND };

const PURCHASE = {
  items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitPrice: 39.9 }],
  deliveryType: 'scheduled',
  coupon: { code: 'VOLTA10', discount: 1 },
  freight: '9.90',
  payment: 'approved',
};

/** The admin API in `/admin/openapi.json` and `/api/openapi.json`. */
export const ADMIN_OPENAPI: OpenApiPart = {
  schemas: ADMIN_SCHEMAS,
  paths: {
    '/admin/openapi.json': {
      get: operation({
        summary: 'This document',
        answer: [SOME_OBJECT, { openapi: '3.1.0' }],
        errors: { 401: NO_TOKEN },
      }),
    },
    '/admin/tenants': {
      post: operation({
        summary: 'Adds a merchant; again with the same contractAccountId: other credentials, the same shop',
        body: [
          taken(TenantBody),
          { contractAccountId: A_GUID, username: 'erp-one', password: 'secret', apiKey: 'key' },
        ],
        status: 201,
        answer: [object({ contractAccountId: GUID }), { contractAccountId: A_GUID }],
        errors: CHANGING,
      }),
    },
    '/admin/orders': {
      post: operation({
        summary: 'A shopper buys',
        description:
          'A whole quantity of a weighable is the number of sale steps, any other number the weight that was separated. Coupon and promotion ' +
          'are apportioned to the items; gift card and freight lower and raise the total.',
        body: [taken(PurchaseBody), PURCHASE],
        status: 201,
        answer: [ref('PlacedOrder'), { number: 100234, id: A_GUID }],
        errors: CHANGING,
      }),
    },
    '/admin/orders/{number}': {
      get: operation({
        summary: 'An order as the shop has it',
        parameters: [orderNumber],
        answer: [ref('ShopOrder'), SHOP_ORDER_EXAMPLE],
        errors: READING,
      }),
    },
    '/admin/orders/{number}/status': {
      post: operation({
        summary: 'Moves an order as the platform itself would: any status by code or name; 1300 is told and keeps it',
        parameters: [orderNumber],
        body: [taken(StatusBody), { status: 'PAYMENT_APPROVED' }],
        answer: [ref('ShopOrder'), SHOP_ORDER_EXAMPLE],
        errors: { ...CHANGING, 404: NOT_FOUND },
      }),
    },
    '/admin/products/{reference}': {
      get: operation({
        summary: 'A product as the storefront has it',
        parameters: [reference, account],
        answer: [
          ref('ShopProduct'),
          { externalReference: '4711', active: true, visible: true, hiddenBecause: null, readModel: {}, images: [] },
        ],
        errors: { ...READING, 400: 'Several merchants have one by this reference' },
      }),
    },
    '/admin/brands/{reference}': {
      get: operation({
        summary: 'A brand as it was sent last, with the id of the core',
        parameters: [reference, account],
        answer: [SOME_OBJECT, { externalReference: 'queijaria', name: 'Queijaria Teste', id: A_GUID }],
        errors: READING,
      }),
    },
    '/admin/categories/{reference}': {
      get: operation({
        summary: 'A category as it was sent last, and its place in the menu',
        parameters: [reference, account],
        answer: [
          ref('Category'),
          {
            id: A_GUID,
            externalReference: 'frios',
            parentExternalReference: null,
            inMenu: true,
            children: ['queijos'],
          },
        ],
        errors: READING,
      }),
    },
    '/admin/records/{entity}': {
      get: operation({
        summary: 'Prices, warehouses or stock as they were sent last',
        parameters: [
          inPath('entity', 'Of the notifications', { enum: ['SKUPricing', 'Warehouse', 'WarehouseSKU'] }),
          account,
        ],
        answer: [listOf(SOME_OBJECT), [{ id: 'cd-01' }]],
        errors: { 400: 'No such entity, or no such merchant', 401: NO_TOKEN },
      }),
    },
    '/admin/deliveries': {
      get: operation({
        summary: 'Attempts to deliver a notification that have ended',
        parameters: [after],
        answer: [listOf(ref('Delivery')), [DELIVERY_EXAMPLE]],
        errors: CHANGING,
      }),
    },
    '/admin/dead-letters': {
      get: operation({
        summary: 'Notifications that no attempt delivered',
        answer: [listOf(ref('DeadLetter')), []],
        errors: { 401: NO_TOKEN },
      }),
    },
    '/admin/operations': {
      get: operation({
        summary: 'Accepted calls, and what became of their items',
        parameters: [after],
        answer: [listOf(ref('Operation')), [OPERATION_EXAMPLE]],
        errors: CHANGING,
      }),
    },
    '/admin/operations/{operationId}': {
      get: operation({
        summary: 'One accepted call, with what the core refused of it and why',
        parameters: [inPath('operationId', 'As the call was answered', GUID)],
        answer: [
          ref('OperationWithRejections'),
          {
            ...OPERATION_EXAMPLE,
            rejections: [
              {
                at: '2026-11-20T13:15:00.120Z',
                eventType: 'ProductWithSKUs_CreationFailed',
                about: '4711',
                sku: null,
                error: {
                  statusCode: 400,
                  validationErrors: [{ id: 1, key: 'Slug', validation: 'is already in use by another product.' }],
                },
              },
            ],
          },
        ],
        errors: READING,
      }),
    },
    '/admin/requests': {
      get: operation({
        summary: 'Calls to the routes of the platform, refused ones included; the newest 5,000 are kept',
        parameters: [after],
        answer: [
          listOf(ref('LoggedRequest')),
          [
            {
              seq: 1,
              at: '2026-11-20T13:15:00.000Z',
              method: 'PATCH',
              path: '/v1/Orders/100234/status',
              query: null,
              status: 200,
              body: { status: 'SHIPPED' },
            },
          ],
        ],
        errors: CHANGING,
      }),
    },
    '/admin/faults': {
      post: operation({
        summary: 'Sets faults, beside those that are set: all of the list, or none',
        body: [taken(FaultsBody), [{ route: '^POST /v1/batch/Products$', kind: 'error-after', times: 1 }]],
        status: 201,
        answer: [listOf(ref('SetFault')), [{ id: '1', fault: { kind: 'error-after', times: 1 } }]],
        errors: CHANGING,
      }),
      delete: operation({ summary: 'Removes all faults', status: 204, errors: { 401: NO_TOKEN } }),
    },
    '/admin/switches': {
      get: operation({
        summary: 'What the platform does where its document leaves it open',
        answer: [ref('Switches'), DEFAULT_BEHAVIOUR],
        errors: { 401: NO_TOKEN },
      }),
      post: operation({
        summary: 'Changes the switches that are named, for all merchants; a restart keeps them, a reset does not',
        body: [taken(SwitchesBody), { transitions: 'strict' }],
        answer: [ref('Switches'), { ...DEFAULT_BEHAVIOUR, transitions: 'strict' }],
        errors: CHANGING,
      }),
    },
    '/admin/sender': {
      post: operation({
        summary: 'Pauses the webhook sender or lets it go on; answered when nothing is under way',
        body: [taken(SenderBody), { paused: true }],
        answer: [object({ paused: { type: 'boolean' } }), { paused: true }],
        errors: CHANGING,
      }),
    },
    '/admin/send-raw': {
      post: operation({
        summary: 'Posts any bytes to a merchant’s webhook, once',
        description:
          'Headers are laid over the usual ones; null takes one away. `answer` is the HTTP status, null when none came.',
        body: [taken(RawBody), { headers: { authorization: null }, bodyBase64: 'e30=' }],
        answer: [object({ answer: orNull(INTEGER) }), { answer: 401 }],
        errors: { ...CHANGING, 409: 'The merchant has registered no webhook' },
      }),
    },
    '/admin/idle': {
      post: operation({
        summary: 'Answers when core and sender have nothing left to do',
        body: [taken(IdleBody), { timeoutMs: 10_000 }],
        answer: [ref('Quiet'), { idle: true, waitingOperations: 0, pendingDeliveries: 0 }],
        errors: { ...CHANGING, 504: 'There is still something to do; the body is that of a 200, with idle false' },
      }),
    },
    '/admin/reset': {
      post: operation({
        summary: 'As at the first start: no merchants, no webhooks, nothing queued',
        status: 204,
        errors: { 401: NO_TOKEN },
      }),
    },
  },
};
