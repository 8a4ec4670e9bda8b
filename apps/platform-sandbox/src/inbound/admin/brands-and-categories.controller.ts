import { Database } from '@gondola/service-kit/database/database';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { AdminTenants } from '../../application/admin-tenants.ts';
import { keyOf, type JsonObject } from '../../domain/exact-json.ts';
import { BrandsRepository } from '../../outbound/brands.repository.ts';
import { CategoriesRepository } from '../../outbound/categories.repository.ts';
import { chosen, unknown } from './admin-errors.ts';

/** Brands and categories as the shop has them; the platform has no route that reads them. */
@Controller('admin')
export class AdminBrandsAndCategoriesController {
  constructor(
    private readonly database: Database,
    private readonly tenants: AdminTenants,
    private readonly brands: BrandsRepository,
    private readonly categories: CategoriesRepository,
  ) {}

  @Get('brands/:reference')
  async brand(
    @Param('reference') reference: string,
    @Query('contractAccountId') account: string | undefined,
  ): Promise<JsonObject> {
    const { contractAccountId } = chosen(await this.tenants.choose(account));
    const brand = await this.brands.find(this.database, contractAccountId, reference);
    if (brand === undefined) throw unknown('brand');
    return { ...brand.fields, id: brand.id };
  }

  /** In the menu are those that are shown, and all above them too. */
  @Get('categories/:reference')
  async category(
    @Param('reference') reference: string,
    @Query('contractAccountId') account: string | undefined,
  ): Promise<JsonObject> {
    const { contractAccountId } = chosen(await this.tenants.choose(account));
    const category = await this.categories.find(this.database, contractAccountId, reference);
    if (category === undefined) throw unknown('category');
    const path = await this.categories.path(this.database, category.id);
    const children = await this.categories.children(this.database, category.id);
    return {
      ...category.fields,
      id: category.id,
      parentExternalReference: path[1]?.externalReference ?? null,
      inMenu: path.every(({ fields }) => keyOf(fields, 'showInStoreFront') !== false),
      children: children.map(({ externalReference }) => externalReference),
    };
  }
}
