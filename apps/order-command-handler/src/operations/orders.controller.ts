import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { CountsQuery } from '@gondola/service-kit/http/counts-query.dto';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant, tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { orderNumberText } from '@gondola/shared/topics/identities';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
  Req,
  UsePipes,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { AskCommand } from './ask-command.service.ts';
import { OperationsMetrics } from './operations.metrics.ts';
import {
  AskedCommand,
  CommandRequest,
  OrderEntry,
  OrderQuery,
  OrdersQuery,
  DetailsQuery,
  ShownCounts,
  ShownDetails,
  ShownOrder,
} from './orders.dto.ts';
import { OrderSearchRepository } from './order-search.repository.ts';
import { ShowDetails } from './show-details.service.ts';
import { ShowOrder } from './show-order.service.ts';

const WRONG = 'A parameter is wrong, or tenant is missing where there are several';
const UNKNOWN = 'Neither a notification nor a command has named it';

/** Operators' routes of orders (contract, "HTTP"). Personal data is masked unless `reveal` is set. */
@Controller('api')
@UsePipes(RequestPipe)
export class OrdersController {
  constructor(
    private readonly orders: ShowOrder,
    private readonly detailed: ShowDetails,
    private readonly asking: AskCommand,
    private readonly search: OrderSearchRepository,
    private readonly metrics: OperationsMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {}

  @Get('orders')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('orders list', {
    pt: 'Lista pedidos, os mais recentes primeiro, sem dados pessoais',
    en: 'Lists orders, newest first, without personal data',
  })
  @ApiOperation({ summary: 'Orders, newest first, without personal data' })
  @ApiPageOf(OrderEntry)
  @ApiErrors({ 400: 'A parameter is wrong; the message says what would be right' })
  async list(@Query() query: OrdersQuery): Promise<PageOf<OrderEntry>> {
    const tenant = query.tenant === undefined ? undefined : knownTenant(query.tenant, this.tenants).id;
    const filter = {
      tenant,
      status: numberOf(query.status),
      olderThanMs: numberOf(query.olderThanMs),
      attention: query.attention === undefined ? undefined : query.attention === 'true',
      isGivenUp: query.givenUp === 'true',
      number: query.number,
      from: query.from,
      to: query.to,
    };
    const { before, limit } = pageRequest(query);
    return pageOf(await this.search.list(filter, before, limit + 1), limit);
  }

  /** `?reveal=true` is counted and audited. */
  @Get('orders/:number')
  @Operation({ role: 'see', tenant: 'query', reveals: 'reveal', action: { name: 'reveal-order', subject: 'number' } })
  @CommandLine('orders show', { pt: 'Mostra um pedido e sua linha do tempo', en: 'Shows an order and its timeline' })
  @ApiOperation({
    summary: 'What is known of an order, its course, and what its open commands wait for; personal data is masked',
  })
  @ApiOkResponse({ description: 'OK', type: ShownOrder })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async order(@Param('number') number: string, @Query() query: OrderQuery): Promise<ShownOrder> {
    const { id: tenant } = tenantOfRequest(query.tenant, this.tenants);
    const isRevealed = query.reveal === 'true';
    const orderNumber = orderNumberText(number);
    const shown = orderNumber === null ? null : await this.orders.show(tenant, orderNumber, isRevealed);
    if (shown === null) throw new NotFoundException();
    if (isRevealed) {
      this.metrics.revealed(tenant);
      auditShown(this.logger, { kind: 'order', tenant, orderNumber: shown.orderNumber });
    }
    return shown;
  }

  /** Shows personal data, so it is counted and audited like a reveal. */
  @Get('orders/:number/details')
  @Operation({
    role: 'act',
    tenant: 'query',
    reveals: 'always',
    action: { name: 'reveal-order-details', subject: 'number' },
  })
  @CommandLine('orders show/details')
  @ApiOperation({ summary: 'An order as the platform’s core service shows it, with personal data' })
  @ApiOkResponse({ description: 'OK', type: ShownDetails })
  @ApiErrors({
    400: WRONG,
    404: `${UNKNOWN}, or the core service does not know it`,
    409: 'The tenant has no platform.coreApiKey, the core service refuses it or the read, or the id of the order is not known',
    503: 'The core service does not answer; ask again later',
  })
  async details(
    @Param('number') number: string,
    @Query() query: DetailsQuery,
    @Req() { traceparent }: { readonly traceparent: string },
  ): Promise<ShownDetails> {
    const { id: tenant } = tenantOfRequest(query.tenant, this.tenants);
    const orderNumber = orderNumberText(number);
    if (orderNumber === null) throw new NotFoundException();
    const shown = await this.detailed.show(tenant, orderNumber, traceparent);
    this.metrics.revealed(tenant);
    auditShown(this.logger, { kind: 'order-details', tenant, orderNumber });
    return shown;
  }

  /** Requests the release as the ERP would; the result of the answered command says whether it creates the order. */
  @Post('orders/:number/release')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'release-order', subject: 'number' } })
  @CommandLine('orders release', {
    pt: 'Cria, como o ERP faria, um pedido que continua embora o pagamento nunca tenha sido notificado',
    en: 'Creates, as the ERP would, an order that continues although its payment was never notified',
  })
  @HttpCode(202)
  @ApiOperation({
    summary:
      'Asks for an order whose 300 never came to be created, as a ReleaseOrder of the ERP; the answer names that command',
  })
  @ApiAcceptedResponse({ description: 'It is asked for, which the log says', type: AskedCommand })
  @ApiErrors({ 400: WRONG, 404: UNKNOWN })
  async release(
    @Param('number') number: string,
    @Body() body: CommandRequest,
    @Req() { traceparent }: { readonly traceparent: string },
  ): Promise<AskedCommand> {
    const { id: tenant } = tenantOfRequest(body.tenant, this.tenants);
    const orderNumber = orderNumberText(number);
    if (orderNumber === null || !(await this.orders.isNamed(tenant, orderNumber))) throw new NotFoundException();
    const wanted = { tenant, orderNumber, command: 'ReleaseOrder', traceparent } as const;
    return { commandId: await this.asking.ask('release', wanted), orderNumber };
  }

  /** Asks as the ERP would, also about an order that no notification has named; what is new becomes events. */
  @Post('orders/:number/refresh')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'refresh-order', subject: 'number' } })
  @CommandLine('orders refresh', {
    pt: 'Lê de novo um pedido na plataforma, como o ERP faria; as mudanças são publicadas como eventos',
    en: 'Reads an order from the platform again, as the ERP would; changes are published as events',
  })
  @HttpCode(202)
  @ApiOperation({
    summary: 'Asks for an order to be read anew, as a RefreshOrder of the ERP; the answer names that command',
  })
  @ApiAcceptedResponse({ description: 'It is asked for, which the log says', type: AskedCommand })
  @ApiErrors({ 400: WRONG, 404: 'That is no number of an order' })
  async refresh(
    @Param('number') number: string,
    @Body() body: CommandRequest,
    @Req() { traceparent }: { readonly traceparent: string },
  ): Promise<AskedCommand> {
    const { id: tenant } = tenantOfRequest(body.tenant, this.tenants);
    const orderNumber = orderNumberText(number);
    if (orderNumber === null) throw new NotFoundException();
    const wanted = { tenant, orderNumber, command: 'RefreshOrder', traceparent } as const;
    return { commandId: await this.asking.ask('refresh', wanted), orderNumber };
  }

  @Get('counts')
  @Operation({ role: 'see', tenant: 'query' })
  @ApiOperation({ summary: 'Facts, orders by status, open commands' })
  @ApiOkResponse({ description: 'OK', type: ShownCounts })
  @ApiErrors({ 400: 'There is no such parameter' })
  async counts(@Query() { tenant }: CountsQuery): Promise<ShownCounts> {
    return this.orders.counts(tenant ?? null);
  }
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
