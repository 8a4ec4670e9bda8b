import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { auditShown } from '@gondola/service-kit/logging/audit';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { TENANTS } from '@gondola/service-kit/run/injected';
import { orderNumberText } from '@gondola/shared/topics/identities';
import { Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { OperationsMetrics } from './operations.metrics.ts';
import {
  listQuery,
  onlyParams,
  type QueryParams,
  switchParam,
  tenantOfRequest,
  textParam,
} from './operations-request.dto.ts';
import { type ListedOrder, OrderSearchRepository } from './order-search.repository.ts';
import { type ShownCounts, ShowOrder, type ShownOrder } from './show-order.service.ts';

interface OrderPage {
  readonly entries: readonly ListedOrder[];
  /** To be given as `before` for the next page; null on the last one. */
  readonly next: string | null;
}

/** What operators see of orders (contract, "HTTP"): personal data masked, unless they ask for it. */
@Controller('api')
export class OrdersController {
  readonly #tenants: readonly string[];

  constructor(
    private readonly orders: ShowOrder,
    private readonly search: OrderSearchRepository,
    private readonly metrics: OperationsMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  /** Newest first, without personal data. */
  @Get('orders')
  async list(@Query() query: QueryParams): Promise<OrderPage> {
    const { filter, page } = listQuery(query, this.#tenants);
    const found = await this.search.list(filter, page.before, page.limit + 1);
    const entries = found.slice(0, page.limit);
    return { entries, next: found.length > page.limit ? (entries.at(-1)?.id ?? null) : null };
  }

  /**
   * With several tenants, `?tenant=` says whose order it is. `?reveal=true` is counted, and leaves a line in the log.
   */
  @Get('orders/:number')
  async order(@Param('number') number: string, @Query() query: QueryParams): Promise<ShownOrder> {
    onlyParams(query, ['tenant', 'reveal']);
    const tenant = tenantOfRequest(textParam(query, 'tenant'), this.#tenants);
    const isRevealed = switchParam(query, 'reveal');
    const orderNumber = orderNumberText(number);
    const shown = orderNumber === null ? null : await this.orders.show(tenant, orderNumber, isRevealed);
    if (shown === null) throw new NotFoundException();
    if (isRevealed) {
      this.metrics.revealed(tenant);
      auditShown(this.logger, { kind: 'order', tenant, orderNumber: shown.orderNumber });
    }
    return shown;
  }

  @Get('counts')
  async counts(): Promise<ShownCounts> {
    return this.orders.counts();
  }
}
