import { Controller, Get, NotFoundException, Param, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Storefronts } from '../../application/storefronts.ts';
import { SwitchBoard } from '../../application/switch-board.ts';
import type { Behaviour } from '../../domain/behaviour.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { isNotified } from '../../domain/orders/order-status.ts';
import { orderPayload } from '../../domain/orders/order-payload.ts';
import { orderPayloadV2 } from '../../domain/orders/order-payload-v2.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { CurrentTenant } from '../http/tenant.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { IntegrationGuard } from './integration.guard.ts';
import { orderNumberOf } from './order-number.ts';
import { orderUnknown } from './order-unknown.ts';

/**
 * The `data` that a webhook would carry now; nothing is sent (docs/platform.md, "Reading an order payload on demand").
 */
@Controller(['v1/Orders/:orderNumber', 'v2/Orders/:orderNumber'])
@UseGuards(IntegrationGuard)
@UseInterceptors(FaultInterceptor)
export class WebhookPayloadsController {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly storefronts: Storefronts,
    private readonly switches: SwitchBoard,
  ) {}

  @Get('webhook-payload')
  async read(
    @Param('orderNumber') number: string,
    @Req() request: FastifyRequest,
    @CurrentTenant() tenant: Tenant,
  ): Promise<JsonObject> {
    const version = versionOf(request, this.switches.behaviour);
    const order = await this.orders.ofMerchant(tenant, orderNumberOf(number));
    if (order === undefined || !isNotified(order.status)) throw orderUnknown();
    const shop = this.storefronts.of(tenant);
    return version === 2 ? orderPayloadV2(order, shop) : orderPayload(order, shop);
  }
}

/** v1 is the default; what selects v2 is not shown, and one way does at a time. */
function versionOf({ url, headers, query, method }: FastifyRequest, { payloadVersion }: Behaviour): 1 | 2 {
  const isPathOfV2 = url.startsWith('/v2/');
  if (isPathOfV2 && payloadVersion !== 'path') {
    throw new NotFoundException({
      code: 'ROUTE_UNKNOWN',
      message: `There is no route ${method} ${url.split('?', 1)[0]}`,
    });
  }
  switch (payloadVersion) {
    case 'path':
      return isPathOfV2 ? 2 : 1;
    case 'header':
      return headers['x-api-version'] === '2' ? 2 : 1;
    default:
      return (query as { version?: unknown }).version === '2' ? 2 : 1;
  }
}
