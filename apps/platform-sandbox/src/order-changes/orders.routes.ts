import type { Accepted, Core } from '../core/core.service.ts';
import { jsonBody } from '../http/body.ts';
import { HttpError, badRequest, notFound } from '../http/http-error.ts';
import { jsonText, route, type AnyRoute, type Caller, type Raw } from '../http/route.ts';
import { orderPayloadV2 } from '../order-payload/order-payload-v2.ts';
import { coreOrderDetails, orderPayload } from '../order-payload/order-payload.ts';
import type { Storefronts } from '../order-payload/storefronts.service.ts';
import { orderNumberOf } from '../orders/order-number.ts';
import { SETTABLE_NAMES, isNotified, statusName } from '../orders/order-status.ts';
import type { Orders } from '../orders/orders.service.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import type { Json, JsonObject } from '../values/exact-json.ts';
import { UNITS_OF_MEASURE } from '../values/unit-of-measure.ts';
import type { Cancellation, OrderStatusPatch, PickingPayload } from './order-changes.service.ts';
import { checkReason, numberInBody, statusOfBody } from './status-of-body.ts';

export interface OrderRouteServices {
  readonly core: Core;
  readonly orders: Orders;
  readonly storefronts: Storefronts;
  readonly switches: SwitchBoard;
  readonly tenants: Tenants;
}

const A_GUID = '11111111-1111-4111-8111-111111111111';
const ACCEPTED = { operationId: A_GUID };
const NOT_JSON = { 400: 'The body is not JSON' };
/** The charged amount is in cents; prices, and costs of lines by them, may have any decimals. */
const AMOUNT = { type: 'number', minimum: 0, multipleOf: 0.01 };
const PRICE = { type: 'number', minimum: 0 };
const PICKING_SCHEMA = {
  type: 'object',
  required: ['finalOrderPrice'],
  properties: {
    orderNumber: { type: 'integer', description: 'Where the path has none' },
    finalOrderPrice: AMOUNT,
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['skuExternalReference'],
        properties: {
          skuExternalReference: { type: 'string' },
          quantity: {
            type: 'number',
            minimum: 0,
            description: 'Units, or the weight in the unit of measure; 0: missing',
          },
          unitOfMeasure: { enum: UNITS_OF_MEASURE },
          price: PRICE,
          total: PRICE,
        },
      },
    },
  },
};
const PICKING = {
  finalOrderPrice: 12.45,
  items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitOfMeasure: 'Kg', price: 39.9, total: 12.45 }],
};

/** docs/platform.md, "Orders". Bodies that the document does not show: NOT-SHOWN.md. */
export function orderRoutes(services: OrderRouteServices): AnyRoute[] {
  const { core, orders, storefronts, switches, tenants } = services;
  const reportPicking = (number: string, body: Json, caller: Caller): Accepted => {
    const payload: PickingPayload = { orderNumber: requiredNumber(number), body };
    return core.accept(caller, 'order-picking', [payload]);
  };
  const payload = (number: string | undefined, caller: Caller, payloadOf: typeof orderPayload): JsonObject => {
    const shown = orders.shown(caller, orderNumberOf(number ?? ''));
    if (shown === undefined || !isNotified(shown.status)) throw orderUnknown();
    return payloadOf(shown.order, storefronts.of(caller), shown.status);
  };
  return [
    route({
      method: 'PATCH',
      path: '/v1/Orders/:orderNumber/status',
      access: 'merchant',
      queues: 'answer not shown',
      summary: 'Sets the status by name',
      bodySchema: { type: 'object', required: ['status'], properties: { status: { enum: SETTABLE_NAMES } } },
      example: { status: 'ORDER_BEING_PREPARED' },
      answer: ACCEPTED,
      errors: { 400: 'The body names no status; an unknown name is refused later, by Order_StatusUpdateFailed' },
      handle: ({ request, params, caller }) => {
        const body = jsonBody(request);
        const orderNumber = requiredNumber(params['orderNumber']);
        const patch: OrderStatusPatch = { orderNumber, status: statusOfBody(body, switches.behaviour) };
        return core.accept(caller, 'order-status', [patch]);
      },
    }),
    route({
      method: 'POST',
      path: '/v1/Orders/:orderNumber/cancel',
      access: 'merchant',
      queues: 'answer shown',
      summary: 'Asks for a cancellation; the document does not show the body, and a reason has no effect',
      example: { reason: 'Desistência' },
      answer: ACCEPTED,
      errors: NOT_JSON,
      handle: ({ request, params, caller }) => {
        checkReason(jsonBody(request, null), switches.behaviour);
        const cancellation: Cancellation = { orderNumber: requiredNumber(params['orderNumber']) };
        return core.accept(caller, 'order-cancellation', [cancellation]);
      },
    }),
    route({
      method: 'PUT',
      path: '/v1/Orders/:orderNumber',
      access: 'merchant',
      queues: 'answer not shown',
      summary: 'Reports picked items and the final price',
      bodySchema: PICKING_SCHEMA,
      example: PICKING,
      answer: ACCEPTED,
      errors: NOT_JSON,
      handle: ({ request, params, caller }) => reportPicking(params['orderNumber'] ?? '', jsonBody(request), caller),
    }),
    // The document lists the route a second time without a number in the path: then the body holds it. A wildcard,
    // because a named parameter is never empty.
    route({
      method: 'PUT',
      path: '/v1/orders/*',
      access: 'merchant',
      queues: 'answer not shown',
      summary: 'The same, with orderNumber in the body',
      documented: {
        '/v1/orders/': {
          summary: 'The same, with orderNumber in the body',
          example: { orderNumber: 100234, ...PICKING },
          bodySchema: PICKING_SCHEMA,
        },
      },
      answer: ACCEPTED,
      errors: NOT_JSON,
      handle: ({ request, params, caller }) => {
        const body = jsonBody(request);
        return reportPicking(params['*'] || numberInBody(body), body, caller);
      },
    }),
    route({
      method: 'GET',
      path: '/v1/Orders/:orderNumber/status',
      access: 'merchant',
      shows: 'order',
      summary: 'The status of an order',
      answer: { status: 400 },
      errors: { 404: 'There is no such order' },
      handle: ({ params, caller }) => {
        const shown = orders.shown(caller, orderNumberOf(params['orderNumber'] ?? ''));
        if (shown === undefined) throw orderUnknown();
        return STATUS_ANSWERS[switches.behaviour.statusAnswer](shown.status);
      },
    }),
    route({
      method: 'GET',
      path: '/v1/Orders/:orderNumber/webhook-payload',
      access: 'merchant',
      shows: 'order',
      summary: 'The payload that a webhook would carry',
      parameters: { version: '2 selects v2; v1 is the default' },
      answer: { id: A_GUID, number: 100234, status: 300 },
      errors: { 404: 'There is no such order, or it is below status 250' },
      handle: ({ params, query, request, caller }) => {
        const { payloadVersion } = switches.behaviour;
        const selected = { query: query['version'], header: request.headers['x-api-version'], path: '1' }[
          payloadVersion
        ];
        return payload(params['orderNumber'], caller, selected === '2' ? orderPayloadV2 : orderPayload);
      },
    }),
    route({
      method: 'GET',
      path: '/v2/Orders/:orderNumber/webhook-payload',
      access: 'merchant',
      shows: 'order',
      summary: 'The v2 payload, where the switch payloadVersion is path; else a 404',
      answer: { contractAccountId: A_GUID, eventType: 14, number: 100234, status: 300 },
      errors: { 404: 'There is no such order or route' },
      handle: ({ params, request: { method, url }, caller }) => {
        if (switches.behaviour.payloadVersion !== 'path') {
          throw notFound('ROUTE_UNKNOWN', `There is no route ${method} ${url.split('?', 1)[0]}`);
        }
        return payload(params['orderNumber'], caller, orderPayloadV2);
      },
    }),
    // The core service: units as numbers (docs/platform.md, "Authentication" 2).
    route({
      method: 'GET',
      path: '/v1/gateway/orders/:id/details',
      access: 'core',
      summary: 'The core’s details of an order; unitOfMeasure is a number',
      parameters: { id: 'GUID or number of the order' },
      answer: { id: A_GUID, number: 100234, items: [{ unitOfMeasure: 2 }] },
      errors: { 401: 'X-API-KEY is missing or unknown', 404: 'There is no such order' },
      handle: ({ params: { id = '' }, request }) => {
        const apiKey = request.headers['x-api-key'];
        const owners = typeof apiKey === 'string' ? tenants.withApiKey(apiKey) : [];
        if (owners.length === 0) throw new HttpError(401, 'UNAUTHORIZED', 'X-API-KEY is missing or unknown');
        const number = orderNumberOf(id);
        const order = orders.find(number === undefined ? { id } : { number });
        const owner = owners.find(({ contractAccountId }) => contractAccountId === order?.contractAccountId);
        if (order === undefined || owner === undefined) throw orderUnknown();
        return coreOrderDetails(order, storefronts.of(owner));
      },
    }),
  ];
}

/** A bare number or text as JSON text. */
const STATUS_ANSWERS: Readonly<Record<Behaviour['statusAnswer'], (status: number) => JsonObject | Raw>> = {
  status: (status) => ({ status }),
  code: (status) => ({ code: status }),
  data: (status) => ({ data: { status } }),
  number: (status) => jsonText(JSON.stringify(status)),
  name: (status) => jsonText(JSON.stringify(statusName(status))),
};

function requiredNumber(text = ''): number {
  const orderNumber = orderNumberOf(text);
  if (orderNumber !== undefined) return orderNumber;
  throw badRequest('ORDER_NUMBER', 'The order number is no whole number');
}

function orderUnknown(): HttpError {
  return notFound('ORDER_UNKNOWN', 'There is no such order, or no notification of it yet');
}
