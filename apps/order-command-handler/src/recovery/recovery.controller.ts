import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/run/injected';
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
} from '@nestjs/common';
import {
  bodyFields,
  onlyParams,
  type QueryParams,
  tenantOfRequest,
  textParam,
} from '../operations/operations-request.dto.ts';
import { BeginRecovery } from './begin-recovery.service.ts';
import { rangeOf } from './recovery-request.ts';
import { type RecoveryRun, type ShownRecovery, shownRecovery } from './recovery-progress.ts';
import { RecoveryRepository } from './recovery.repository.ts';

type RecoveryTenant = Pick<TenantConfig, 'id' | 'recovery'>;

const ID = /^\d{1,18}$/;

/** Looks for orders whose notifications were lost, and shows how far that is. */
@Controller('api/recoveries')
export class RecoveryController {
  readonly #ids: readonly string[];

  constructor(
    private readonly begin: BeginRecovery,
    private readonly recovery: RecoveryRepository,
    private readonly clock: Clock,
    @Inject(TENANTS) private readonly tenants: readonly RecoveryTenant[],
  ) {
    this.#ids = tenants.map(({ id }) => id);
  }

  /** Begins it; the readings go on by themselves, at the tenant's rate. */
  @Post()
  @HttpCode(202)
  async recover(@Body() body: unknown): Promise<ShownRecovery> {
    const { tenant: named, from, to } = bodyFields(body, ['tenant', 'from', 'to']);
    const tenant = tenantOfRequest(named, this.#ids);
    const asked = rangeOf({ from, to });
    if (!asked.ok) throw new BadRequestException(asked.problem);
    return this.show(await this.begin.run(tenant, asked.range));
  }

  @Get()
  async list(@Query() query: QueryParams): Promise<{ readonly entries: readonly ShownRecovery[] }> {
    onlyParams(query, ['tenant']);
    const named = textParam(query, 'tenant');
    const runs = await this.recovery.list(named === undefined ? undefined : tenantOfRequest(named, this.#ids));
    return { entries: runs.map((run) => this.#shown(run)) };
  }

  @Get(':id')
  async show(@Param('id') id: string): Promise<ShownRecovery> {
    const run = ID.test(id) ? await this.recovery.find(id) : null;
    if (run === null) throw new NotFoundException();
    return this.#shown(run);
  }

  #shown(run: RecoveryRun): ShownRecovery {
    const rate = this.tenants.find(({ id }) => id === run.tenant)?.recovery.callsPerMinute ?? 1;
    return shownRecovery(run, rate, this.clock.now());
  }
}
