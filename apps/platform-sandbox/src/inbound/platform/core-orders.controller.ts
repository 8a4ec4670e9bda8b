import { Controller, Get, Headers, Param, UnauthorizedException, UseInterceptors } from '@nestjs/common';
import { Storefronts } from '../../application/storefronts.ts';
import { coreOrderDetails } from '../../domain/orders/order-payload.ts';
import type { JsonObject } from '../../domain/exact-json.ts';
import { OrdersRepository } from '../../outbound/orders.repository.ts';
import { TenantsRepository } from '../../outbound/tenants.repository.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID, SOME_OBJECT } from '../openapi/schemas.ts';
import { FaultInterceptor } from './fault.interceptor.ts';
import { orderNumberOf, orderUnknown } from './order-number.ts';

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
    answer: [SOME_OBJECT, { id: A_GUID, number: 100234, items: [{ unitOfMeasure: 2 }] }],
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
