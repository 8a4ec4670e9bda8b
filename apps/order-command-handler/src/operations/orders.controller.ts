import { orderNumberText } from '@gondola/shared/topics/identities';
import { BadRequestException, Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { type ShownCounts, ShowOrder, type ShownOrder } from './show-order.service.ts';
import { CONFIG, type Config } from '../config.ts';

/** What operators see of orders (contract, "HTTP"): no personal data. */
@Controller('api')
export class OrdersController {
  readonly #show: ShowOrder;
  readonly #tenants: readonly string[];

  constructor(show: ShowOrder, @Inject(CONFIG) config: Config) {
    this.#show = show;
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
  async counts(): Promise<ShownCounts> {
    return this.#show.counts();
  }
}
