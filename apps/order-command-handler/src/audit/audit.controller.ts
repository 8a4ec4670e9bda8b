import { Lanes } from '@gondola/lanes/lanes/lanes';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { ApiPageOf, isId, pageOf, type PageOf, PageQuery, pageRequest } from '@gondola/service-kit/http/page.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { Clock } from '@gondola/service-kit/run/clock';
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
import type { AuditEntity } from './audit.entity.ts';
import { Audit, AuditedOrder, AuditRequest, Audits, AuditsQuery } from './audit.dto.ts';
import { auditLane } from './audit-lane.ts';
import { shownAudit } from './audit-progress.ts';
import { AuditsRepository } from './audits.repository.ts';
import { monthOf } from './month.ts';

type AuditTenant = Pick<TenantConfig, 'id' | 'audit'>;

const ONE = { role: 'act', tenant: { at: '/api/audits/{id}' } } as const;
const NO_AUDIT = { 404: 'There is no such audit' };

/** Starts, stops and shows audits; their reads follow at the tenant's rate (`audit-orders.service.ts`). */
@Controller('api/audits')
@UsePipes(RequestPipe)
export class AuditController {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly workers: LaneWorkers,
    private readonly audits: AuditsRepository,
    private readonly clock: Clock,
    @Inject(TENANTS) private readonly tenants: readonly AuditTenant[],
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'start-audit', subject: 'month' } })
  @CommandLine('audit month', {
    pt: 'Confere os pedidos de um mês: o que a loja mostra, o que o Gondola publicou e o que o ERP disse; sai com 1 se algo difere',
    en: 'Compares the orders of a month: what the shop shows, what Gondola published and what the ERP said; exits with 1 if anything differs',
  })
  @HttpCode(202)
  @ApiOperation({ summary: 'Audits the orders of a month, or shows the audit of the month that there is' })
  @ApiAcceptedResponse({ description: 'It runs, or was there', type: Audit })
  @ApiErrors({ 400: 'The month is none or not over, or tenant is unknown, or missing where there are several' })
  async start(@Body() { tenant: named, month, again }: AuditRequest): Promise<Audit> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    const range = typeof month === 'string' ? monthOf(month) : null;
    if (range === null) throw new BadRequestException('month is a month such as 2026-11');
    if (range.to.getTime() > this.clock.now())
      throw new BadRequestException(`month ${String(month)} is not over in the zone of the platform (UTC-03:00)`);
    return this.show(await this.#wake(tenant, (tx) => this.audits.begin(tx, tenant, String(month), again === true)));
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('audit list', { pt: 'Lista os últimos fechamentos', en: 'Lists the latest audits' })
  @ApiOperation({ summary: 'The latest audits, newest first' })
  @ApiOkResponse({ description: 'OK', type: Audits })
  @ApiErrors({ 400: 'There is no such tenant, or no such parameter' })
  async list(@Query() { tenant: named }: AuditsQuery): Promise<Audits> {
    const where = named === undefined ? {} : { tenant: tenantOfRequest(named, this.tenants).id };
    return { entries: (await this.audits.shown(where)).map((audit) => this.#shown(audit)) };
  }

  @Get(':id')
  @Operation({ role: 'see', tenant: 'answer' })
  @CommandLine('audit show', {
    pt: 'Mostra um fechamento: andamento, fim estimado, somas e diferenças',
    en: 'Shows an audit: progress, estimated end, sums and differences',
  })
  @ApiOperation({ summary: 'An audit: how far it is, its estimated end, its differences by kind and its sums' })
  @ApiOkResponse({ description: 'OK', type: Audit })
  @ApiErrors(NO_AUDIT)
  async show(@Param('id') id: string): Promise<Audit> {
    const [audit] = isId(id) ? await this.audits.shown({ id }) : [];
    if (audit === undefined) throw new NotFoundException();
    return this.#shown(audit);
  }

  @Get(':id/differences')
  @Operation({ ...ONE, role: 'see' })
  @CommandLine('audit show/differences')
  @ApiOperation({
    summary: 'The orders of an audit that differ, with the figures of each side, the highest number first',
  })
  @ApiPageOf(AuditedOrder)
  @ApiErrors({ 400: 'A parameter is wrong; the message says what would be right', ...NO_AUDIT })
  async differences(@Param('id') id: string, @Query() query: PageQuery): Promise<PageOf<AuditedOrder>> {
    await this.show(id);
    const { before, limit } = pageRequest(query);
    return pageOf(await this.audits.differing(id, before, limit + 1), limit);
  }

  @Post(':id/stop')
  @Operation({ ...ONE, action: { name: 'stop-audit', subject: 'id' } })
  @CommandLine('audit stop', {
    pt: 'Para um fechamento; o que foi lido fica',
    en: 'Stops an audit; what was read stays',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Stops an audit: what was read stays' })
  @ApiOkResponse({ description: 'OK', type: Audit })
  @ApiErrors(NO_AUDIT)
  async stop(@Param('id') id: string): Promise<Audit> {
    return this.#change(id, 'running', 'stopped');
  }

  @Post(':id/resume')
  @Operation({ ...ONE, action: { name: 'resume-audit', subject: 'id' } })
  @CommandLine('audit resume', {
    pt: 'Continua um fechamento parado',
    en: 'Goes on with an audit that was stopped',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Goes on with an audit that was stopped, behind what was read' })
  @ApiOkResponse({ description: 'OK', type: Audit })
  @ApiErrors(NO_AUDIT)
  async resume(@Param('id') id: string): Promise<Audit> {
    return this.#change(id, 'stopped', 'running');
  }

  async #change(id: string, from: AuditEntity['state'], to: AuditEntity['state']): Promise<Audit> {
    const { tenant } = await this.show(id);
    await this.#wake(tenant, (tx) => this.audits.setState(tx, id, from, to));
    return this.show(id);
  }

  /** The lane's lock makes two calls take turns. */
  async #wake<T>(tenant: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const done = await this.database.transaction(async (tx) => {
      await this.lanes.wake(tx, [auditLane(tenant)]);
      return work(tx);
    });
    this.workers.wake();
    return done;
  }

  #shown(audit: Parameters<typeof shownAudit>[0]): Audit {
    const { readsPerMinute = 1 } = this.tenants.find(({ id }) => id === audit.tenant)?.audit ?? {};
    return shownAudit(audit, readsPerMinute, this.clock.now());
  }
}
