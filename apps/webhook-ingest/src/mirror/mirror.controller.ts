import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { knownTenant, tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Body, Controller, Get, HttpCode, Inject, NotFoundException, Post, Query, UsePipes } from '@nestjs/common';
import type { Config } from '../config.ts';
import { WRONG } from '../inbox/operations.dto.ts';
import { MirrorDeliveries } from './mirror-deliveries.repository.ts';
import { MirrorQuery, MirrorSwitch, ShownMirror, ShownMirrors } from './mirror.dto.ts';

const NO_MIRROR = 'The tenant has no webhook.mirror';

/** Shows the mirrors of the tenants, and pauses and resumes them. */
@Controller('api/mirror')
@UsePipes(RequestPipe)
export class MirrorController {
  constructor(
    private readonly deliveries: MirrorDeliveries,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mirrors'>,
    @Inject(TENANTS) private readonly tenants: readonly TenantConfig<'webhook'>[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('mirror show', {
    pt: 'Mostra os outros receptores das notificações: o que espera, desde quando, e por quê',
    en: 'Shows the other receivers of the notifications: what waits, since when, and why',
  })
  @ApiOperation({ summary: 'The mirrors to which accepted notifications are passed on, and what waits for each' })
  @ApiOkResponse({ description: 'OK', type: ShownMirrors })
  @ApiErrors({ 400: WRONG })
  async show(@Query() { tenant }: MirrorQuery): Promise<ShownMirrors> {
    const named = tenant === undefined ? null : knownTenant(tenant, this.tenants).id;
    return {
      entries: await this.#shown([...this.config.mirrors.keys()].filter((id) => named === null || id === named)),
    };
  }

  @Post('pause')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'pause-mirror' } })
  @CommandLine('mirror pause', {
    pt: 'Pausa o outro receptor de um tenant: as notificações esperam, até os limites',
    en: 'Pauses the other receiver of a tenant: its notifications wait, up to the bounds',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Holds a mirror; what is accepted meanwhile waits, up to maxWaiting and maxAgeMs' })
  @ApiOkResponse({ description: 'The mirror; one that is being sent is still sent', type: ShownMirror })
  @ApiErrors({ 400: WRONG, 404: NO_MIRROR })
  async pause(@Body() { tenant }: MirrorSwitch): Promise<ShownMirror> {
    return this.#switched(tenant, (id) => this.deliveries.pause(id), 'An operator paused a mirror');
  }

  @Post('resume')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'resume-mirror' } })
  @CommandLine('mirror resume', {
    pt: 'Retoma o outro receptor de um tenant: o que espera é enviado na ordem de chegada',
    en: 'Resumes the other receiver of a tenant: what waits is sent in the order of arrival',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends the pause of a mirror; what waits is sent in the order of arrival' })
  @ApiOkResponse({ description: 'The mirror', type: ShownMirror })
  @ApiErrors({ 400: WRONG, 404: NO_MIRROR })
  async resume(@Body() { tenant }: MirrorSwitch): Promise<ShownMirror> {
    return this.#switched(tenant, (id) => this.deliveries.resume(id), 'An operator resumed a mirror');
  }

  async #switched(named: unknown, act: (tenant: string) => Promise<void>, message: string): Promise<ShownMirror> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    if (!this.config.mirrors.has(tenant)) throw new NotFoundException({ code: 'NOT_FOUND', message: NO_MIRROR });
    await act(tenant);
    this.logger.info({ tenant }, message);
    return (await this.#shown([tenant]))[0]!;
  }

  async #shown(tenants: readonly string[]): Promise<ShownMirror[]> {
    const states = await this.deliveries.states(tenants);
    return states.map((state) => ({ ...state, receiver: new URL(this.config.mirrors.get(state.tenant)!.url).origin }));
  }
}
