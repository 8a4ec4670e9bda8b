import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { Must } from '@gondola/service-kit/http/request-fields';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Body, Controller, HttpCode, Inject, Post, UsePipes } from '@nestjs/common';
import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiOkResponse, ApiOperation, ApiProperty } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ShopperOrdersRepository } from './shopper-orders.repository.ts';

/** The shopper whose orders are requested. */
export class ShopperRequest {
  @ApiProperty()
  @Must((value) => typeof value === 'string', 'tenant is needed')
  readonly tenant!: string;

  @ApiProperty({ format: 'email' })
  @Must((value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value), 'email is an e-mail address')
  readonly email!: string;
}

export class ShopperOrders {
  @Open({ type: [String], description: 'The lowest first' })
  readonly orderNumbers!: readonly string[];
}

/** Orders of a shopper to erase. A POST: proxies log addresses, which must not hold an e-mail. */
@Controller('api/erasures/orders')
@UsePipes(RequestPipe)
export class ShopperOrdersController {
  constructor(
    private readonly orders: ShopperOrdersRepository,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'find-orders-of-shopper' } })
  @CommandLine('erase user/orders')
  @HttpCode(200)
  @ApiOperation({ summary: 'The orders of a shopper that are not erased; changes nothing' })
  @ApiOkResponse({ description: 'OK', type: ShopperOrders })
  @ApiErrors({ 400: 'A field is wrong; the message says what would be right' })
  async find(@Body() { tenant, email }: ShopperRequest): Promise<ShopperOrders> {
    return { orderNumbers: await this.orders.numbersOf(knownTenant(tenant, this.tenants).id, email) };
  }
}
