import { orderNumberText } from '@gondola/shared/topics/identities';
import { BadRequestException, Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import type { OrderCounts } from '../application/order-stores.ts';
import { ShowOrder, type ShownOrder } from '../application/show-order.ts';
import { CONFIG, type Config } from '../config.ts';
import { OrdersRepository } from '../outbound/orders.repository.ts';

/** What operators see of orders (contract, "HTTP"): no personal data. */
@Controller('api')
export class OrdersController {
  readonly #show: ShowOrder;
  readonly #orders: OrdersRepository;
  readonly #tenants: readonly string[];

  constructor(show: ShowOrder, orders: OrdersRepository, @Inject(CONFIG) config: Config) {
    this.#show = show;
    this.#orders = orders;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  /** With several tenants, `?tenant=` says whose order it is. */
  @Get('orders/:number')
  async order(@Param('number') number: string, @Query('tenant') tenant?: string): Promise<ShownOrder> {
    const [only, ...others] = this.#tenants;
    const owner = tenant ?? (others.length === 0 ? only : undefined);
    if (owner === undefined) throw new BadRequestException('There are several tenants: add ?tenant=');
    const orderNumber = orderNumberText(number);
    const shown = orderNumber === null ? null : await this.#show.show(owner, orderNumber);
    if (shown === null) throw new NotFoundException();
    return shown;
  }

  @Get('counts')
  async counts(): Promise<OrderCounts> {
    return this.#orders.counts();
  }
}
