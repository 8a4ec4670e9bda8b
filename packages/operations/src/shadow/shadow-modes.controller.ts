import { BadRequestException, Body, Controller, Get, HttpCode, Inject, Post, Query, UsePipes } from '@nestjs/common';

import { ShadowModes, ShadowPointRefusedError, type TenantShadow } from '@gondola/lanes/modes/shadow-modes';
import { ShadowQuery } from '@gondola/lanes/shadow/shadow.dto';
import { ShadowHold, ShadowSwitch, ShownShadowMode, ShownShadowModes } from '@gondola/lanes/modes/shadow-modes.dto';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { tenantOfRequest } from '@gondola/service-kit/http/tenant-of-request';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { currentOperator } from '@gondola/service-kit/logging/operator';

const WRONG = 'There is no such tenant, it is not in shadow in the tenants file, or the time is not possible';

/** Changes tenants over from another connector, and back (contract, "HTTP"). Each app has its own points. */
@Controller('api/shadow')
@UsePipes(RequestPipe)
export class ShadowModesController {
  constructor(
    private readonly modes: ShadowModes,
    @Inject(TENANTS) private readonly tenants: ReadonlyArray<{ readonly id: string }>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('modes')
  @Operation({ role: 'see', tenant: 'query' })
  @CommandLine('shadow modes', {
    pt: 'Mostra em que modo cada loja em sombra está, em cada aplicativo, desde quando e até quando',
    en: 'Shows in which mode each shop in shadow is, in each app, since when and until when',
  })
  @ApiOperation({ summary: 'Modes of the tenants that the tenants file has in shadow' })
  @ApiOkResponse({ description: 'OK', type: ShownShadowModes })
  @ApiErrors({ 400: WRONG })
  async show(@Query() { tenant: named }: ShadowQuery): Promise<ShownShadowModes> {
    const all = await this.modes.list();
    return { entries: all.filter(({ tenant }) => named === undefined || tenant === named).map(shown) };
  }

  @Post('hold')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'hold-shadow' } })
  @CommandLine('shadow hold', {
    pt: 'Segura o trabalho de uma loja em sombra: o que chega é guardado e espera, até um ponto ou shadow release',
    en: 'Holds the work of a shop in shadow: what comes is stored and waits, until a point or shadow release',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Holds the work of a tenant, until a point is set or it is released' })
  @ApiOkResponse({ description: 'Every process holds it within half a minute', type: ShownShadowMode })
  @ApiErrors({ 400: WRONG })
  async hold(@Body() { tenant }: ShadowHold): Promise<ShownShadowMode> {
    return this.#changed(tenant, (id) => this.modes.hold(id, currentOperator()));
  }

  @Post('release')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'release-shadow' } })
  @CommandLine('shadow release', {
    pt: 'Solta o trabalho de uma loja, que continua no modo em que estava',
    en: 'Releases the work of a shop, which goes on in the mode that it was in',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Ends a hold without a point' })
  @ApiOkResponse({ description: 'It goes on', type: ShownShadowMode })
  @ApiErrors({ 400: WRONG })
  async release(@Body() { tenant }: ShadowHold): Promise<ShownShadowMode> {
    return this.#changed(tenant, (id) => this.modes.release(id, currentOperator()));
  }

  @Post('live')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'end-shadow' } })
  @CommandLine('shadow live', {
    pt: 'Faz o que chega a partir de um horário; o que veio antes fica com o outro conector',
    en: 'Does what comes from a time on; what came before is left to the other connector',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Sets the point from which on a tenant is live, and ends its hold' })
  @ApiOkResponse({ description: 'The point is set, or it was', type: ShownShadowMode })
  @ApiErrors({ 400: WRONG })
  async live(@Body() { tenant, from }: ShadowSwitch): Promise<ShownShadowMode> {
    return this.#set(tenant, 'live', from);
  }

  @Post('begin')
  @Operation({ role: 'act', tenant: 'body', action: { name: 'begin-shadow' } })
  @CommandLine('shadow begin', {
    pt: 'Deixa com o outro conector o que chega a partir de um horário; o que veio antes ainda é feito',
    en: 'Leaves what comes from a time on to the other connector; what came before is still done',
  })
  @HttpCode(200)
  @ApiOperation({ summary: 'Sets the point from which on a tenant is in shadow again, and ends its hold' })
  @ApiOkResponse({ description: 'The point is set, or it was', type: ShownShadowMode })
  @ApiErrors({ 400: WRONG })
  async begin(@Body() { tenant, from }: ShadowSwitch): Promise<ShownShadowMode> {
    return this.#set(tenant, 'shadow', from);
  }

  async #set(named: unknown, mode: 'live' | 'shadow', from: string): Promise<ShownShadowMode> {
    const point = { mode, from: Date.parse(from) };
    return this.#changed(named, (id) => this.modes.set(id, point, currentOperator()));
  }

  async #changed(named: unknown, change: (tenant: string) => Promise<TenantShadow>): Promise<ShownShadowMode> {
    const { id: tenant } = tenantOfRequest(named, this.tenants);
    if (!this.modes.tenants.has(tenant))
      throw new BadRequestException(`Tenant ${tenant} is live by the tenants file: mode: shadow would be needed`);
    const changed = await change(tenant).catch((error: unknown) => {
      if (error instanceof ShadowPointRefusedError) throw new BadRequestException(`Tenant ${tenant}: ${error.message}`);
      throw error;
    });
    const { heldSince, points } = changed;
    this.logger.warn({ tenant, heldSince, points }, 'An operator changed the mode of a tenant in shadow');
    return shown(changed);
  }
}

function shown({ tenant, mode, heldSince, points }: TenantShadow): ShownShadowMode {
  return {
    tenant,
    mode,
    heldSince: heldSince === null ? null : new Date(heldSince),
    points: points.map((point) => ({ mode: point.mode, from: new Date(point.from) })),
  };
}
