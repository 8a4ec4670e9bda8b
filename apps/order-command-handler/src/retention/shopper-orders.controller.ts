import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Body, Controller, HttpCode, Inject, Post, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ShopperOrders, ShopperRequest } from './shopper-orders.dto.ts';
import { ShopperOrdersRepository } from './shopper-orders.repository.ts';

/** Orders of a shopper to erase. A POST: proxies log addresses, which must not hold an e-mail. */
@Controller('api/erasures/orders')
@UsePipes(RequestPipe)
export class ShopperOrdersController {
  constructor(
    private readonly orders: ShopperOrdersRepository,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'The orders of a shopper that are not erased; changes nothing' })
  @ApiOkResponse({ description: 'OK', type: ShopperOrders })
  @ApiErrors({ 400: 'A field is wrong; the message says what would be right' })
  async find(@Body() { tenant, email }: ShopperRequest): Promise<ShopperOrders> {
    return { orderNumbers: await this.orders.numbersOf(knownTenant(tenant, this.tenants).id, email) };
  }
}
