import { Database } from '@gondola/service-kit/database/database';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { keyOf, type JsonObject } from '../../domain/exact-json.ts';
import { BrandEntity } from '../../outbound/brand.entity.ts';
import { CategoriesRepository } from '../../outbound/categories.repository.ts';
import { CategoryEntity } from '../../outbound/category.entity.ts';
import type { Tenant } from '../../outbound/tenants.repository.ts';
import { unknown } from './admin-errors.ts';
import { ChosenTenant } from './chosen-tenant.ts';

/** Brands and categories as the shop has them; the platform has no route that reads them. */
@Controller('admin')
export class AdminBrandsAndCategoriesController {
  constructor(
    private readonly database: Database,
    private readonly categories: CategoriesRepository,
  ) {}

  @Get('brands/:reference')
  async brand(
    @Param('reference') externalReference: string,
    @Query('contractAccountId', ChosenTenant) { contractAccountId }: Tenant,
  ): Promise<JsonObject> {
    const brand = await this.database.repository(BrandEntity).findOneBy({ contractAccountId, externalReference });
    if (brand === null) throw unknown('brand');
    return { ...brand.fields, id: brand.id };
  }

  /** In the menu are those that are shown, and all above them too. */
  @Get('categories/:reference')
  async category(
    @Param('reference') externalReference: string,
    @Query('contractAccountId', ChosenTenant) { contractAccountId }: Tenant,
  ): Promise<JsonObject> {
    const categories = this.database.repository(CategoryEntity);
    const category = await categories.findOneBy({ contractAccountId, externalReference });
    if (category === null) throw unknown('category');
    const path = await this.categories.path(category.id);
    const children = await categories.find({ where: { parentId: category.id }, order: { externalReference: 'ASC' } });
    return {
      ...category.fields,
      id: category.id,
      parentExternalReference: path[1]?.externalReference ?? null,
      inMenu: path.every(({ fields }) => keyOf(fields, 'showInStoreFront') !== false),
      children: children.map((child) => child.externalReference),
    };
  }
}
