import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { In, type FindOperator, type FindOptionsWhere } from 'typeorm';
import { BrandEntity } from '../catalog/brand.entity.ts';
import { CategoryEntity } from '../catalog/category.entity.ts';
import { textOrNull } from '../catalog/field-rules.ts';
import { FilesRepository } from '../files/files.repository.ts';
import type { AttachedFile } from '../files/stored-file.ts';
import type { CatalogSku } from '../picking/recalculate-order.ts';
import { chunksOf, rowOf } from '../values/column-values.adapter.ts';
import type { Json } from '../values/exact-json.ts';
import { Shelf, skuReferences, slugOf } from './product-shelf.ts';
import { ProductEntity, SkuEntity } from './product.entity.ts';
import type { Product } from './product.ts';
import type { CatalogReference, ProductSurroundings } from './read-model.ts';

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

  /** Stored products, brands and categories that the items of a batch name. */
  async shelf(contractAccountId: string, items: readonly Json[], tx: Tx): Promise<Shelf> {
    const named = (key: string): FindOperator<string> => In(items.flatMap((item) => textOrNull(item, key) ?? []));
    const by = (externalReference: FindOperator<string>) => ({ contractAccountId, externalReference });
    const { database } = this;
    return new Shelf({
      products: await this.find(by(named('externalReference')), tx),
      withSlugs: await database.repository(ProductEntity, tx).findBy({ contractAccountId, slug: named('slug') }),
      skus: await database.repository(SkuEntity, tx).findBy(by(In(items.flatMap(skuReferences)))),
      brands: await database.repository(BrandEntity, tx).findBy(by(named('brandExternalReference'))),
      categories: await database.repository(CategoryEntity, tx).findBy(by(named('categoryExternalReference'))),
    });
  }

  /** Saves products; each may occur only once. */
  async save(contractAccountId: string, products: readonly Product[], tx: Tx): Promise<void> {
    const rows = products.map(({ skus: _skus, ...product }) => ({
      ...product,
      contractAccountId,
      slug: slugOf(product),
    }));
    const skus = products.flatMap(({ id, skus: ofProduct }) =>
      ofProduct.map((sku, index) => ({ ...sku, productId: id, contractAccountId, position: index + 1 })),
    );
    for (const chunk of chunksOf(rows)) {
      await this.database.repository(ProductEntity, tx).upsert(rowOf<ProductEntity>(chunk), ['id']);
    }
    for (const chunk of chunksOf(skus)) {
      await this.database.repository(SkuEntity, tx).upsert(rowOf<SkuEntity>(chunk), ['id']);
    }
  }

  /** Brand, category and other data of a product's read model, by the ids that the product holds. */
  async surroundings(product: ProductEntity): Promise<ProductSurroundings> {
    return {
      contractAccountId: product.contractAccountId,
      hasImage: (await this.images(product)).length > 0,
      brand: await this.reference(BrandEntity, product.brandId),
      category: await this.reference(CategoryEntity, product.categoryId),
    };
  }

  /** Images of all SKUs of a product, grouped by SKU and sorted by position. */
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
    return found && { id, name: textOrNull(found.fields, 'name') ?? '', externalReference: found.externalReference };
  }
}
