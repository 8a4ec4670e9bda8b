import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { TENANTS } from '@gondola/service-kit/run/injected';
import { Body, Controller, HttpCode, Inject, Post, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { knownTenant } from '../operations/tenant-of-request.dto.ts';
import { ShopperOrders, ShopperRequest } from './shopper-orders.dto.ts';
import { ShopperOrdersRepository } from './shopper-orders.repository.ts';

/** Orders of a shopper to erase. A POST: proxies log addresses, which must not hold an e-mail. */
@Controller('api/erasures/orders')
@UsePipes(RequestPipe)
export class ShopperOrdersController {
  readonly #tenants: readonly string[];

  constructor(
    private readonly orders: ShopperOrdersRepository,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'The orders of a shopper that are not erased; changes nothing' })
  @ApiOkResponse({ description: 'OK', type: ShopperOrders })
  @ApiErrors({ 400: 'A field is wrong; the message says what would be right' })
  async find(@Body() { tenant, email }: ShopperRequest): Promise<ShopperOrders> {
    return { orderNumbers: await this.orders.numbersOf(knownTenant(tenant, this.#tenants), email) };
  }
}
