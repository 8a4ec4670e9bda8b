import { Body, Controller, Get, HttpCode, Inject, Post, Query, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';

import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { orderNumberText } from '@gondola/shared/topics/identities';

import { EraseOrder } from './erase-order.service.ts';
import { ErasureEntry, ErasureRequest, ErasuresQuery, OrderErasure } from './erasures.dto.ts';
import { OrderErasuresRepository } from '@gondola/lanes/erased-orders/order-erasures.repository';

const WRONG = 'A field or parameter is wrong; the message says what would be right';

/** Erases the customer data that an app stores about an order, and lists erasures (contract, "HTTP"). */
@Controller('api/erasures')
@UsePipes(RequestPipe)
export class ErasuresController {
  constructor(
    private readonly erasing: EraseOrder,
    private readonly erasures: OrderErasuresRepository,
    @Inject(TENANTS) private readonly tenants: readonly { readonly id: string }[],
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'erase-order', subject: 'orderNumber' } })
  @CommandLine('erase order', {
    pt: 'Apaga os dados armazenados do cliente de um pedido; sem --confirm, só mostra o que seria apagado',
    en: 'Erases the stored data of an order’s customer; without --confirm only shows what would be erased',
  })
  @HttpCode(200)
  @ApiOperation({
    summary: 'Erases the stored customer data of an order for good; later records are stored without such data',
  })
  @ApiOkResponse({
    description: 'The erased content, the content that stays, and the topics with copies',
    type: OrderErasure,
  })
  @ApiErrors({ 400: WRONG })
  async erase(@Body() { tenant, orderNumber }: ErasureRequest): Promise<OrderErasure> {
    const { id } = knownTenant(tenant, this.tenants);
    return this.erasing.run({ tenant: id, orderNumber: orderNumberText(orderNumber)! });
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Lists the orders whose content was erased here, newest first' })
  @ApiPageOf(ErasureEntry)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: ErasuresQuery): Promise<PageOf<ErasureEntry>> {
    const { before, limit } = pageRequest(query);
    return pageOf(await this.erasures.list(query.tenant, before, limit + 1), limit);
  }
}
