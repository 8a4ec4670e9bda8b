import { Controller, Get, Headers, Param, UnauthorizedException, UseInterceptors } from '@nestjs/common';
import { Storefronts } from '../../application/storefronts.ts';
import { coreOrderDetails } from '../../domain/orders/core-order-details.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import { TenantsRepository } from '../../outbound/tenants.repository.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { orderNumberOf } from './order-number.ts';
import { orderUnknown } from './order-unknown.ts';

/** The core service: `X-API-KEY` instead of Basic, units as numbers (docs/platform.md, "Authentication" 2). */
@Controller('v1/gateway/orders')
@UseInterceptors(FaultInterceptor)
export class CoreOrdersController {
  constructor(
    private readonly tenants: TenantsRepository,
    private readonly orders: OrdersRepository,
    private readonly storefronts: Storefronts,
  ) {}

  /** `id` is the order's GUID, or its number. */
  @Get(':id/details')
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
