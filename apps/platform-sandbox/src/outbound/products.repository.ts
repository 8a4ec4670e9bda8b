import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { In, type FindOptionsWhere } from 'typeorm';
import type { Product } from '../domain/catalog/product.ts';
import type { CatalogReference, ProductSurroundings } from '../domain/catalog/read-model.ts';
import { keyOf } from '../domain/exact-json.ts';
import type { CatalogSku } from '../domain/orders/recalculate-order.ts';
import type { AttachedFile } from '../domain/files/stored-file.ts';
import { BrandEntity } from './brand.entity.ts';
import { CategoryEntity } from './category.entity.ts';
import { storable } from './column-values.ts';
import { FilesRepository } from './files.repository.ts';
import { Shelf, slugOf } from './product-shelf.ts';
import { ProductEntity, SkuEntity } from './product.entity.ts';

/** What the items of a batch name. */
export interface ShelfWanted {
  readonly references: readonly string[];
  readonly slugs: readonly string[];
  readonly skus: readonly string[];
}

@Injectable()
export class ProductsRepository {
  constructor(
    private readonly database: Database,
    private readonly files: FilesRepository,
  ) {}

  async find(where: FindOptionsWhere<ProductEntity>, tx?: Tx): Promise<ProductEntity[]> {
    return this.database
      .repository(ProductEntity, tx)
      .find({ where, relations: { skus: true }, order: { id: 'ASC', skus: { position: 'ASC' } } });
  }

  async findSku(contractAccountId: string, externalReference: string, tx: Tx): Promise<CatalogSku | undefined> {
    const sku = await this.database.repository(SkuEntity, tx).findOneBy({ contractAccountId, externalReference });
    const [product] = sku === null ? [] : await this.find({ id: sku.productId }, tx);
    return sku === null || product === undefined ? undefined : { sku, product };
  }

  /** What a merchant's shop has of what a batch names. */
  async shelf(contractAccountId: string, { references, slugs, skus }: ShelfWanted, tx: Tx): Promise<Shelf> {
    const products = await this.find({ contractAccountId, externalReference: In([...references]) }, tx);
    const slugOwners = await this.database
      .repository(ProductEntity, tx)
      .find({ select: { slug: true, externalReference: true }, where: { contractAccountId, slug: In([...slugs]) } });
    const skuOwners = await this.database.repository(SkuEntity, tx).find({
      select: { externalReference: true, productId: true },
      where: { contractAccountId, externalReference: In([...skus]) },
    });
    return new Shelf({
      products,
      slugOwners: new Map(slugOwners.map(({ slug, externalReference }) => [slug, externalReference])),
      skuOwners: new Map(skuOwners.map(({ externalReference, productId }) => [externalReference, productId])),
    });
  }

  /** The core's ids of the brands or categories that there are, by reference as given. */
  async idsOf(
    entity: typeof BrandEntity | typeof CategoryEntity,
    contractAccountId: string,
    references: readonly string[],
    tx: Tx,
  ): Promise<ReadonlyMap<string, string>> {
    if (references.length === 0) return new Map();
    const where = { contractAccountId, externalReference: In([...references]) };
    const found = await this.database.repository<BrandEntity | CategoryEntity>(entity, tx).findBy(where);
    const ids = new Map(found.map(({ externalReference, id }) => [externalReference, id]));
    return new Map(
      references.flatMap((reference) => {
        const id = ids.get(storable(reference));
        return id === undefined ? [] : [[reference, id] as const];
      }),
    );
  }

  /** Each product once; all of a batch in two statements, however many SKUs it has. */
  async save(contractAccountId: string, products: readonly Product[], tx: Tx): Promise<void> {
    if (products.length === 0) return;
    await tx.query(
      `INSERT INTO products (id, contract_account_id, external_reference, slug, fields, brand_id, category_id, created_at, updated_at)
       SELECT id, $1, external_reference, slug, fields, brand_id, category_id, created_at, updated_at
       FROM unnest($2::text[], $3::text[], $4::text[], $5::json[], $6::text[], $7::text[], $8::bigint[], $9::bigint[])
         AS p (id, external_reference, slug, fields, brand_id, category_id, created_at, updated_at)
       ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, fields = excluded.fields, brand_id = excluded.brand_id,
         category_id = excluded.category_id, updated_at = excluded.updated_at`,
      [
        contractAccountId,
        products.map(({ id }) => id),
        products.map(({ externalReference }) => storable(externalReference)),
        products.map((product) => storable(slugOf(product))),
        products.map(({ fields }) => JSON.stringify(fields)),
        products.map(({ brandId }) => brandId),
        products.map(({ categoryId }) => categoryId),
        products.map(({ createdAt }) => createdAt),
        products.map(({ updatedAt }) => updatedAt),
      ],
    );
    const skus = products.flatMap(({ id, skus: ofProduct }) =>
      ofProduct.map((sku, index) => ({ ...sku, productId: id, position: index + 1 })),
    );
    if (skus.length === 0) return;
    await tx.query(
      `INSERT INTO skus (id, product_id, contract_account_id, external_reference, position, fields)
       SELECT id, product_id, $1, external_reference, position, fields
       FROM unnest($2::text[], $3::text[], $4::text[], $5::int[], $6::json[]) AS s (id, product_id, external_reference, position, fields)
       ON CONFLICT (id) DO UPDATE SET fields = excluded.fields`,
      [
        contractAccountId,
        skus.map(({ id }) => id),
        skus.map(({ productId }) => productId),
        skus.map(({ externalReference }) => storable(externalReference)),
        skus.map(({ position }) => position),
        skus.map(({ fields }) => JSON.stringify(fields)),
      ],
    );
  }

  /** What stands beside a product in its read model, by the ids that the product holds. */
  async surroundings(product: ProductEntity): Promise<ProductSurroundings> {
    return {
      contractAccountId: product.contractAccountId,
      hasImage: (await this.images(product)).length > 0,
      brand: await this.reference(BrandEntity, product.brandId),
      category: await this.reference(CategoryEntity, product.categoryId),
    };
  }

  /** Of all SKUs of a product, those of one SKU together and in their order. */
  async images({ contractAccountId, skus }: ProductEntity): Promise<AttachedFile[]> {
    const ids = skus.map(({ id }) => id);
    const files = await this.files.attached({ contractAccountId, entityId: In(ids) });
    return ids.flatMap((id) => files.filter(({ entityId }) => entityId === id));
  }

  private async reference(
    entity: typeof BrandEntity | typeof CategoryEntity,
    id: string | null,
  ): Promise<CatalogReference | null> {
    if (id === null) return null;
    const found = await this.database.repository<BrandEntity | CategoryEntity>(entity).findOneBy({ id });
    return found && { id, name: keyOf(found.fields, 'name') as string, externalReference: found.externalReference };
  }
}
