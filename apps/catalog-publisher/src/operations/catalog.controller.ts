import { TENANTS } from '@gondola/service-kit/run/injected';
import { BadRequestException, Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import { type CatalogCounts, ShowCatalog, type ShownProduct, type ShownReference } from './show-catalog.service.ts';

/** What operators see of the catalog (contract, "HTTP"). With several tenants, `?tenant=` says whose it is. */
@Controller('api')
export class CatalogController {
  readonly #tenants: readonly string[];

  constructor(
    private readonly show: ShowCatalog,
    @Inject(TENANTS) tenants: ReadonlyArray<{ readonly id: string }>,
  ) {
    this.#tenants = tenants.map(({ id }) => id);
  }

  @Get('products/:externalReference')
  async product(
    @Param('externalReference') reference: string,
    @Query('tenant') tenant?: string,
  ): Promise<ShownProduct> {
    return found(await this.show.product(this.#owner(tenant), reference));
  }

  @Get('brands/:externalReference')
  async brand(
    @Param('externalReference') reference: string,
    @Query('tenant') tenant?: string,
  ): Promise<ShownReference> {
    return found(await this.show.reference(this.#owner(tenant), 'brand', reference));
  }

  @Get('categories/:externalReference')
  async category(
    @Param('externalReference') reference: string,
    @Query('tenant') tenant?: string,
  ): Promise<ShownReference> {
    return found(await this.show.reference(this.#owner(tenant), 'category', reference));
  }

  @Get('counts')
  async counts(): Promise<CatalogCounts[]> {
    return this.show.counts();
  }

  #owner(tenant: string | undefined): string {
    const [only, ...others] = this.#tenants;
    const owner = tenant ?? (others.length === 0 ? only : undefined);
    if (owner === undefined) throw new BadRequestException('There are several tenants: add ?tenant=');
    return owner;
  }
}

function found<T>(shown: T | null): T {
  if (shown === null) throw new NotFoundException();
  return shown;
}
