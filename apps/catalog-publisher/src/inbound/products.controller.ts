import { BadRequestException, Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { type ShownProduct, ShowProduct } from '../application/show-product.ts';
import { CONFIG, type Config } from '../config.ts';

/** What operators see of products (contract, "HTTP"). */
@Controller('api/products')
export class ProductsController {
  readonly #show: ShowProduct;
  readonly #tenants: readonly string[];

  constructor(show: ShowProduct, @Inject(CONFIG) config: Config) {
    this.#show = show;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  /** With several tenants, `?tenant=` says whose product it is. */
  @Get(':externalReference')
  async product(
    @Param('externalReference') externalReference: string,
    @Query('tenant') tenant?: string,
  ): Promise<ShownProduct> {
    const [only, ...others] = this.#tenants;
    const owner = tenant ?? (others.length === 0 ? only : undefined);
    if (owner === undefined) throw new BadRequestException('There are several tenants: add ?tenant=');
    const shown = await this.#show.show(owner, externalReference);
    if (shown === null) throw new NotFoundException();
    return shown;
  }
}
