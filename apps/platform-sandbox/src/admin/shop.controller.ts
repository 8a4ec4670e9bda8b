import { Database } from '@gondola/service-kit/database/database';
import { BadRequestException, Get, Param, Query } from '@nestjs/common';
import { BrandEntity } from '../catalog/brand.entity.ts';
import { CategoriesRepository } from '../catalog/categories.repository.ts';
import { CategoryEntity } from '../catalog/category.entity.ts';
import { AdminRoutes, MAX_ENTRIES, NOT_FOUND, unknown } from '../http/admin-routes.decorator.ts';
import { Describe } from '../openapi/describe.decorator.ts';
import { A_GUID } from '../openapi/schemas.ts';
import { Storefronts } from '../order-payload/storefronts.service.ts';
import { LooseRecordEntity } from '../prices-and-stock/loose-record.entity.ts';
import { LOOSE_ENTITIES, isLooseEntity } from '../prices-and-stock/loose-record.ts';
import { ProductsRepository } from '../products/products.repository.ts';
import { hiddenBecause, readModel } from '../products/read-model.ts';
import { ChosenTenant } from '../tenants/chosen-tenant.pipe.ts';
import type { Tenant } from '../tenants/tenants.repository.ts';
import { keyOf, type JsonObject } from '../values/exact-json.ts';

/** The shop's catalog; the platform has no route that reads most of it. */
@AdminRoutes()
export class ShopController {
  constructor(
    private readonly database: Database,
    private readonly products: ProductsRepository,
    private readonly categories: CategoriesRepository,
    private readonly storefronts: Storefronts,
  ) {}

  /** `contractAccountId` is required if several merchants have a product with this reference. */
  @Get('products/:reference')
  @Describe({
    summary: 'A product as the storefront has it',
    answer: { externalReference: '4711', active: true, visible: true, hiddenBecause: null, readModel: {}, images: [] },
    errors: { ...NOT_FOUND, 400: 'Several merchants have one by this reference' },
  })
  async product(
    @Param('reference') externalReference: string,
    @Query('contractAccountId') account: string | undefined,
  ): Promise<JsonObject> {
    const everywhere = await this.products.find({ externalReference });
    const candidates = everywhere.filter(
      ({ contractAccountId }) => account === undefined || contractAccountId.toLowerCase() === account.toLowerCase(),
    );
    const [product] = candidates;
    if (product === undefined) throw unknown('product');
    if (candidates.length > 1) {
      const message = 'Several tenants have it: contractAccountId must name one';
      throw new BadRequestException({ code: 'TENANT', message });
    }
    const model = readModel(product, await this.products.surroundings(product));
    const images = await this.products.images(product);
    const hidden = hiddenBecause(product);
    return {
      externalReference: product.externalReference,
      active: model.active ?? null,
      visible: hidden === null,
      hiddenBecause: hidden,
      readModel: model,
      images: images.map((image) => ({
        sku: image.externalReference,
        order: image.displayOrder,
        url: this.storefronts.urlOf(image),
      })),
    };
  }

  @Get('brands/:reference')
  @Describe({
    summary: 'A brand as it was sent last, with the id of the core',
    answer: { externalReference: 'queijaria', name: 'Queijaria Teste', id: A_GUID },
    errors: NOT_FOUND,
  })
  async brand(
    @Param('reference') externalReference: string,
    @Query('contractAccountId', ChosenTenant) { contractAccountId }: Tenant,
  ): Promise<JsonObject> {
    const brand = await this.database.repository(BrandEntity).findOneBy({ contractAccountId, externalReference });
    if (brand === null) throw unknown('brand');
    return { ...brand.fields, id: brand.id };
  }

  /** A category is in the menu if it and all its ancestors are shown. */
  @Get('categories/:reference')
  @Describe({
    summary: 'A category as it was sent last, and its place in the menu',
    answer: {
      id: A_GUID,
      externalReference: 'frios',
      parentExternalReference: null,
      inMenu: true,
      children: ['queijos'],
    },
    errors: NOT_FOUND,
  })
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

  @Get('records/:entity')
  @Describe({
    summary: 'Prices, warehouses or stock as they were sent last',
    parameters: { entity: ['Of the notifications', { enum: LOOSE_ENTITIES }] },
    answer: [{ id: 'cd-01' }],
    errors: { 400: 'No such entity, or no such merchant' },
  })
  async records(
    @Param('entity') entity: string,
    @Query('contractAccountId', ChosenTenant) { contractAccountId }: Tenant,
  ): Promise<JsonObject[]> {
    if (!isLooseEntity(entity)) {
      const message = `The entity must be one of ${LOOSE_ENTITIES.join(', ')}`;
      throw new BadRequestException({ code: 'ENTITY', message });
    }
    const query = { where: { contractAccountId, entity }, order: { seq: 'ASC' }, take: MAX_ENTRIES } as const;
    return (await this.database.repository(LooseRecordEntity).find(query)).map(({ data }) => data);
  }
}
