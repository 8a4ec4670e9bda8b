import { Body, Controller, Get, HttpCode, Inject, Post, Query, UsePipes } from '@nestjs/common';
import { ErasureRequest, ErasuresQuery } from '@gondola/messaging/erasures/erasures.dto';
import { orderNumberText } from '@gondola/shared/topics/identities';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { type ErasureAnswer, EraseOrder } from './erase-order.service.ts';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { type Erasure, ErasuresRepository } from './erasures.repository.ts';
import { WRONG } from '../operations/operations.dto.ts';
import { AnsweredErasure, Erasure as ShownErasure } from './erasures.dto.ts';

/** Erases the stored content about an order's customer, and lists the requests. */
@Controller('api/erasures')
@UsePipes(RequestPipe)
export class ErasuresController {
  constructor(
    private readonly erasing: EraseOrder,
    private readonly erasures: ErasuresRepository,
    @Inject(TENANTS) private readonly tenants: readonly { readonly id: string }[],
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Erases the content of what was received about an order',
    description:
      'Erases the content of notifications and of quarantine entries that name the order. Content that waits to be ' +
      'published, is in a spool or arrives later is erased as soon as it is published.',
  })
  @ApiOkResponse({ description: 'The record of the erasure', type: AnsweredErasure })
  @ApiErrors({ 400: WRONG })
  async erase(@Body() { tenant, orderNumber }: ErasureRequest): Promise<ErasureAnswer> {
    return this.erasing.run(knownTenant(tenant, this.tenants).id, orderNumberText(orderNumber)!);
  }

  @Get()
  @ApiOperation({ summary: 'Which orders’ content was to be erased, newest first' })
  @ApiPageOf(ShownErasure)
  @ApiErrors({ 400: WRONG })
  async list(@Query() query: ErasuresQuery): Promise<PageOf<Erasure>> {
    const { before, limit } = pageRequest(query);
    return pageOf(await this.erasures.list(query.tenant, before, limit + 1), limit);
  }
}
