import { Body, Controller, Get, HttpCode, Inject, Post, Query, UsePipes } from '@nestjs/common';
import { ErasureRequest, ErasuresQuery } from '@gondola/operations/erasures/erasures.dto';
import { orderNumberText } from '@gondola/shared/topics/identities';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { EraseReceived } from './erase-received.service.ts';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { ErasuresRepository } from './erasures.repository.ts';
import { WRONG } from '../inbox/operations.dto.ts';
import { AnsweredErasure, UserErasureRequest } from './erasures.dto.ts';
import { ErasureEntity } from './erasure.entity.ts';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { UserErasureEntity } from '../inbox/user-erasure.entity.ts';
import type { UserErasure } from '../inbox/user-erasures.repository.ts';

/**
 * Erases the stored content about an order's customer, and lists the requests; erases what was received about a
 * shopper, except their orders.
 */
@Controller('api/erasures')
@UsePipes(RequestPipe)
export class ErasuresController {
  constructor(
    private readonly erasing: EraseReceived,
    private readonly erasures: ErasuresRepository,
    @Inject(TENANTS) private readonly tenants: readonly TenantConfig<'webhook'>[],
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'erase-order', subject: 'orderNumber' } })
  @CommandLine('erase order')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Erases the content of what was received about an order',
    description:
      'Erases the content of notifications and of quarantine entries that name the order. Content that waits to be ' +
      'published, is in a spool or arrives later is erased as soon as it is published.',
  })
  @ApiOkResponse({ description: 'The record of the erasure', type: AnsweredErasure })
  @ApiErrors({ 400: WRONG })
  async erase(@Body() { tenant, orderNumber }: ErasureRequest): Promise<AnsweredErasure> {
    return this.erasing.order(knownTenant(tenant, this.tenants).id, orderNumberText(orderNumber)!);
  }

  @Post('users')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'erase-shopper' } })
  @CommandLine('erase user', {
    pt: 'Apaga os dados armazenados de um cliente e de todos os seus pedidos; sem --confirm, só lista os pedidos',
    en: 'Erases the stored data of a shopper and of all their orders; without --confirm only lists the orders',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Erases the content of User notifications, and of the quarantine, that have an e-mail' })
  @ApiOkResponse({ description: 'The record of the erasure, which does not name the shopper', type: UserErasureEntity })
  @ApiErrors({ 400: WRONG })
  async eraseUser(@Body() { tenant, email }: UserErasureRequest): Promise<UserErasure> {
    return this.erasing.user(knownTenant(tenant, this.tenants), email);
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Which orders’ content was to be erased, newest first' })
  @ApiPageOf(ErasureEntity)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: ErasuresQuery): Promise<PageOf<ErasureEntity>> {
    const { before, limit } = pageRequest(query);
    return pageOf(await this.erasures.list(query.tenant, before, limit + 1), limit);
  }
}
