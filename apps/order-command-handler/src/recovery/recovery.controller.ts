import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { ApiPageOf, isId, pageOf, type PageOf, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/config/injected';
import {
  BadRequestException,
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Post,
  Query,
  UsePipes,
} from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { BeginRecovery } from './begin-recovery.service.ts';
import {
  NumbersQuery,
  Recoveries,
  RecoveriesQuery,
  RecoveredNumber,
  Recovery,
  RecoveryRequest,
} from './recovery.dto.ts';
import { rangeOf, type RecoveryRun, shownRecovery } from './recovery-progress.ts';
import { RecoveryRepository } from './recovery.repository.ts';

type RecoveryTenant = Pick<TenantConfig, 'id' | 'recovery'>;

/** Starts searches for orders with lost notifications, and shows their progress. */
@Controller('api/recoveries')
@UsePipes(RequestPipe)
export class RecoveryController {
  constructor(
    private readonly begin: BeginRecovery,
    private readonly recovery: RecoveryRepository,
    private readonly clock: Clock,
    @Inject(TENANTS) private readonly tenants: readonly RecoveryTenant[],
  ) {}

  /** Starts a search; its reads follow at the tenant's rate. */
  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'start-recovery' } })
  @CommandLine('orders recover', {
    pt: 'Procura na plataforma os pedidos de uma faixa de números que nenhuma notificação mencionou',
    en: 'Looks at the platform for the orders of a range of numbers that no notification named',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Looks for the orders of a range of numbers that no notification named' })
  @ApiAcceptedResponse({ description: 'It has begun', type: Recovery })
  @ApiErrors({ 400: 'A field is wrong, or tenant is missing where there are several' })
  async recover(@Body() { tenant: named, from, to }: RecoveryRequest): Promise<Recovery> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    const asked = rangeOf({ from, to });
    if (!asked.ok) throw new BadRequestException(asked.problem);
    return this.show(await this.begin.run(tenant, asked.range));
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('orders recoveries', {
    pt: 'Mostra as buscas de pedidos perdidos: andamento, ritmo e fim estimado',
    en: 'Shows the searches for lost orders: progress, rate and estimated end',
  })
  @ApiOperation({ summary: 'The latest runs that look for lost orders, newest first' })
  @ApiOkResponse({ description: 'OK', type: Recoveries })
  @ApiErrors({ 400: 'There is no such tenant, or no such parameter' })
  async list(@Query() { tenant: named }: RecoveriesQuery): Promise<Recoveries> {
    const runs = await this.recovery.list(named === undefined ? undefined : tenantOfRequest(named, this.tenants).id);
    return { entries: runs.map((run) => this.#shown(run)) };
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'answer' })
  @CommandLine('orders recoveries/one')
  @ApiOperation({ summary: 'A run: how far it is, how fast, and its estimated end' })
  @ApiOkResponse({ description: 'OK', type: Recovery })
  @ApiErrors({ 404: 'There is no such run' })
  async show(@Param('id') id: string): Promise<Recovery> {
    const run = isId(id) ? await this.recovery.find(id) : null;
    if (run === null) throw new NotFoundException();
    return this.#shown(run);
  }

  @Get(':id/numbers')
  @Operation({ role: 'see', tenant: { at: '/api/recoveries/{id}' } })
  @CommandLine('orders recoveries/numbers')
  @ApiOperation({ summary: 'The numbers of a run and what each came to, the highest first' })
  @ApiPageOf(RecoveredNumber)
  @ApiErrors({ 400: 'A parameter is wrong; the message says what would be right', 404: 'There is no such run' })
  async numbers(@Param('id') id: string, @Query() query: NumbersQuery): Promise<PageOf<RecoveredNumber>> {
    await this.show(id);
    const { before, limit } = pageRequest(query);
    return pageOf(await this.recovery.numbers(id, query.outcome, before, limit + 1), limit);
  }

  #shown(run: RecoveryRun): Recovery {
    const rate = this.tenants.find(({ id }) => id === run.tenant)?.recovery.callsPerMinute ?? 1;
    return shownRecovery(run, rate, this.clock.now());
  }
}
