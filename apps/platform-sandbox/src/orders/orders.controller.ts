import {
  BadRequestException,
  Controller,
  Get,
  Header,
  Headers,
  NotFoundException,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  UnauthorizedException,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptOperation, type Accepted } from '../core/accept-operation.service.ts';
import { FaultInterceptor } from '../faults/fault.interceptor.ts';
import { JsonBody } from '../http/body.decorator.ts';
import { CurrentCaller, type Caller } from '../http/caller.decorator.ts';
import { IntegrationRoutes, NOT_JSON, Queues } from '../http/integration-routes.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { orderPayloadV2 } from '../order-payload/order-payload-v2.ts';
import { coreOrderDetails, orderPayload } from '../order-payload/order-payload.ts';
import { Storefronts } from '../order-payload/storefronts.service.ts';
import type { Behaviour } from '../switches/behaviour.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { TenantsRepository } from '../tenants/tenants.repository.ts';
import { isJsonObject, keyOf, numberText, type Json, type JsonObject } from '../values/exact-json.ts';
import { orderNumberOf } from './order-number.ts';
import { isNotified, statusCode, statusName } from './order-status.ts';
import type { Order } from './order.ts';
import { OrdersRepository } from './orders.repository.ts';
import type { Cancellation, OrderStatusPatch, PickingPayload } from './take-order-changes.service.ts';

/** docs/platform.md, "Orders". Bodies that the document does not show: NOT-SHOWN.md. */
@IntegrationRoutes()
export class OrdersController {
  constructor(
    private readonly core: AcceptOperation,
    private readonly orders: OrdersRepository,
    private readonly storefronts: Storefronts,
    private readonly switches: SwitchBoard,
  ) {}

  @Patch('v1/Orders/:orderNumber/status')
  @Queues('answer not shown', {
    summary: 'Sets the status by name',
    body: { status: 'ORDER_BEING_PREPARED' },
    errors: { 400: 'The body names no status; an unknown name is refused later, by Order_StatusUpdateFailed' },
  })
  async setStatus(
    @Param('orderNumber') number: string,
    @JsonBody() body: Json,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    const orderNumber = requiredOrderNumber(number);
    const patch: OrderStatusPatch = { orderNumber, status: statusOf(body, this.switches.behaviour) };
    return this.core.accept(caller, 'order-status', [patch]);
  }

  /** The document shows the answer, but not the body; a reason in the body has no effect. */
  @Post('v1/Orders/:orderNumber/cancel')
  @Queues('answer shown', {
    summary: 'Asks for a cancellation',
    body: { reason: 'Desistência' },
    errors: NOT_JSON,
  })
  async cancel(
    @Param('orderNumber') number: string,
    @JsonBody('optional') body: Json,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    checkReason(body, this.switches.behaviour);
    const cancellation: Cancellation = { orderNumber: requiredOrderNumber(number) };
    return this.core.accept(caller, 'order-cancellation', [cancellation]);
  }

  @Put('v1/Orders/:orderNumber')
  @Queues('answer not shown', {
    summary: 'Reports picked items and the final price',
    body: {
      finalOrderPrice: 12.45,
      items: [{ skuExternalReference: '4711-1', quantity: 0.312, unitOfMeasure: 'Kg', price: 39.9, total: 12.45 }],
    },
    errors: NOT_JSON,
  })
  async reportPicking(
    @Param('orderNumber') number: string,
    @JsonBody() body: Json,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    const payload: PickingPayload = { orderNumber: requiredOrderNumber(number), body };
    return this.core.accept(caller, 'order-picking', [payload]);
  }

  /** The document lists the route a second time without a number in the path: then the body holds it. */
  // A wildcard, because a named parameter is never empty.
  @Put('v1/orders/*')
  @Queues('answer not shown', {
    '/v1/orders/': {
      summary: 'The same, with orderNumber in the body',
      body: { orderNumber: 100234, finalOrderPrice: 12.45 },
      errors: NOT_JSON,
    },
  })
  async reportPickingOfBody(
    @Param('*') rest: string,
    @JsonBody() body: Json,
    @CurrentCaller() caller: Caller,
  ): Promise<Accepted> {
    return this.reportPicking(rest || numberInBody(body), body, caller);
  }

  @Get('v1/Orders/:orderNumber/status')
  @Header('content-type', 'application/json; charset=utf-8')
  @Describe({
    summary: 'The status of an order',
    answer: { status: 400 },
    errors: { 404: 'There is no such order' },
  })
  async status(@Param('orderNumber') number: string, @CurrentCaller() caller: Caller): Promise<JsonObject | string> {
    const order = await this.orders.ofMerchant(caller, orderNumberOf(number));
    if (order === undefined) throw orderUnknown();
    return STATUS_ANSWERS[this.switches.behaviour.statusAnswer](order.status);
  }

  /** Answers the present `data` of a notification (docs/platform.md, "Reading an order payload on demand"). */
  @Get('v1/Orders/:orderNumber/webhook-payload')
  @Describe({
    summary: 'The payload that a webhook would carry',
    parameters: { version: '2 selects v2; v1 is the default' },
    answer: { id: A_GUID, number: 100234, status: 300 },
    errors: { 404: 'There is no such order, or it is below status 250' },
  })
  async payload(
    @Param('orderNumber') number: string,
    @Query('version') version: string | undefined,
    @Req() { headers }: FastifyRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonObject> {
    const { payloadVersion } = this.switches.behaviour;
    const selected = { query: version, header: headers['x-api-version'], path: '1' }[payloadVersion];
    const order = await this.notified(number, caller);
    return (selected === '2' ? orderPayloadV2 : orderPayload)(order, this.storefronts.of(caller));
  }

  @Get('v2/Orders/:orderNumber/webhook-payload')
  @Describe({
    summary: 'The v2 payload, where the switch payloadVersion is path; else a 404',
    answer: { contractAccountId: A_GUID, eventType: 14, number: 100234, status: 300 },
    errors: { 404: 'There is no such order or route' },
  })
  async payloadV2(
    @Param('orderNumber') number: string,
    @Req() { method, url }: FastifyRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<JsonObject> {
    if (this.switches.behaviour.payloadVersion !== 'path') {
      const message = `There is no route ${method} ${url.split('?', 1)[0]}`;
      throw new NotFoundException({ code: 'ROUTE_UNKNOWN', message });
    }
    return orderPayloadV2(await this.notified(number, caller), this.storefronts.of(caller));
  }

  private async notified(number: string, caller: Caller): Promise<Order> {
    const order = await this.orders.ofMerchant(caller, orderNumberOf(number));
    if (order === undefined || !isNotified(order.status)) throw orderUnknown();
    return order;
  }
}

/** The core service: `X-API-KEY` instead of Basic, units as numbers (docs/platform.md, "Authentication" 2). */
@Controller('v1/gateway/orders')
@UseInterceptors(FaultInterceptor)
export class CoreOrdersController {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly orders: OrdersRepository,
    private readonly storefronts: Storefronts,
  ) {}

  @Get(':id/details')
  @Describe({
    summary: 'The core’s details of an order; unitOfMeasure is a number',
    parameters: { id: 'GUID or number of the order' },
    answer: { id: A_GUID, number: 100234, items: [{ unitOfMeasure: 2 }] },
    security: ['apiKey'],
    errors: { 401: 'X-API-KEY is missing or unknown', 404: 'There is no such order' },
  })
  async details(@Param('id') id: string, @Headers('x-api-key') apiKey: string | undefined): Promise<JsonObject> {
    const owners = apiKey === undefined ? [] : await this.tenants.withApiKey(apiKey);
    if (owners.length === 0) {
      throw new UnauthorizedException({ code: 'UNAUTHORIZED', message: 'X-API-KEY is missing or unknown' });
    }
    const number = orderNumberOf(id);
    const order = await this.orders.find(number === undefined ? { id } : { number });
    const owner = owners.find(({ contractAccountId }) => contractAccountId === order?.contractAccountId);
    if (order === undefined || owner === undefined) throw orderUnknown();
    return coreOrderDetails(order, this.storefronts.of(owner));
  }
}

/** A bare number or text as JSON text, because the framework would not send it as JSON. */
const STATUS_ANSWERS: Readonly<Record<Behaviour['statusAnswer'], (status: number) => JsonObject | string>> = {
  status: (status) => ({ status }),
  code: (status) => ({ code: status }),
  data: (status) => ({ data: { status } }),
  number: (status) => JSON.stringify(status),
  name: (status) => JSON.stringify(statusName(status)),
};

/**
 * Code of the status that the body names, or the name itself if it is unknown and the core is to refuse it
 * (docs/platform.md, "Behaviour rules" 1).
 */
function statusOf(body: Json, { statusKey, unknownStatus }: Behaviour): number | string {
  const name = statusKey === '' ? body : isJsonObject(body) ? keyOf(body, statusKey) : undefined;
  if (typeof name === 'string') {
    const status = statusCode(name);
    if (status !== undefined) return status;
    if (unknownStatus === 'by-event') return name;
  }
  const shape = statusKey === '' ? '"<name of a status>"' : `{ "${statusKey}": "<name of a status>" }`;
  throw new BadRequestException({ code: 'STATUS_UNKNOWN', message: `The body must be ${shape}` });
}

function checkReason(body: Json, { cancelReasonKey }: Behaviour): void {
  if (cancelReasonKey === null) return;
  const reason = isJsonObject(body) ? keyOf(body, cancelReasonKey) : undefined;
  if (typeof reason === 'string' && reason.trim() !== '') return;
  const message = `The body must be { "${cancelReasonKey}": "<text>" }`;
  throw new BadRequestException({ code: 'REASON_MISSING', message });
}

function requiredOrderNumber(text: string): number {
  const orderNumber = orderNumberOf(text);
  if (orderNumber !== undefined) return orderNumber;
  throw new BadRequestException({ code: 'ORDER_NUMBER', message: 'The order number is no whole number' });
}

function orderUnknown(): NotFoundException {
  const message = 'There is no such order, or no notification of it yet';
  return new NotFoundException({ code: 'ORDER_UNKNOWN', message });
}

function numberInBody(body: Json): string {
  const number = isJsonObject(body) ? keyOf(body, 'orderNumber') : undefined;
  return typeof number === 'string' ? number : (numberText(number) ?? '');
}
