import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { TENANTS } from '@gondola/service-kit/run/injected';
import { orderNumberText } from '@gondola/shared/topics/identities';
import { BadRequestException, Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { type ShownCounts, ShowOrder, type ShownOrder } from './show-order.service.ts';

/** What operators see of orders (contract, "HTTP"): no personal data. */
@Controller('api')
export class OrdersController {
  readonly #tenants: readonly string[];

  constructor(
    private readonly orders: ShowOrder,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id'>>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  /** With several tenants, `?tenant=` says whose order it is. */
  @Get('orders/:number')
  async order(@Param('number') number: string, @Query('tenant') tenant?: string): Promise<ShownOrder> {
    const [only, ...others] = this.#tenants;
    const owner = tenant ?? (others.length === 0 ? only : undefined);
    if (owner === undefined) throw new BadRequestException('There are several tenants: add ?tenant=');
    const orderNumber = orderNumberText(number);
    const shown = orderNumber === null ? null : await this.orders.show(owner, orderNumber);
    if (shown === null) throw new NotFoundException();
    return shown;
  }

  @Get('counts')
  async counts(): Promise<ShownCounts> {
    return this.orders.counts();
  }
}
