import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Body, Controller, HttpCode, Inject, Post, UsePipes } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { DAY_MS } from '@gondola/shared/durations';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { OperationsMetrics } from '../operations/operations.metrics.ts';
import { WRONG } from '../operations/operations.dto.ts';
import { UserErasureRequest } from './erasures.dto.ts';
import { UserErasureEntity } from './user-erasure.entity.ts';
import { type UserErasure, UserErasuresRepository } from './user-erasures.repository.ts';

/** Erases the content received about a shopper, except their orders, which are erased by order number. */
@Controller('api/erasures/users')
@UsePipes(RequestPipe)
export class UserErasuresController {
  constructor(
    private readonly erasures: UserErasuresRepository,
    private readonly metrics: OperationsMetrics,
    private readonly clock: Clock,
    @Inject(TENANTS) private readonly tenants: readonly TenantConfig<'webhook'>[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Erases the content of User notifications, and of the quarantine, that have an e-mail' })
  @ApiOkResponse({ description: 'The record of the erasure, which does not name the shopper', type: UserErasureEntity })
  @ApiErrors({ 400: WRONG })
  async erase(@Body() { tenant, email }: UserErasureRequest): Promise<UserErasure> {
    const { webhook } = knownTenant(tenant, this.tenants);
    const at = this.clock.now();
    const until = new Date(at + webhook.retention.bodyDays * DAY_MS);
    const erasure = await this.erasures.run(tenant, email, new Date(at), until);
    const labels = { tenant, part: 'body', cause: 'erasure' } as const;
    this.metrics.forgotten({ ...labels, kind: 'notification' }, erasure.notifications);
    this.metrics.forgotten({ ...labels, kind: 'quarantine' }, erasure.quarantined);
    this.logger.info({ tenant }, 'The content of a shopper was erased');
    return erasure;
  }
}
