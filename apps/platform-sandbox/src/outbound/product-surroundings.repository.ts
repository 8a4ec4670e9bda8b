import { Injectable } from '@nestjs/common';
import type { Product } from '../domain/catalog/product.ts';
import type { CatalogReference, ProductSurroundings } from '../domain/catalog/read-model.ts';
import type { AttachedFile } from '../domain/files/stored-file.ts';
import { FilesRepository } from './files.repository.ts';
import type { Queryable } from './queryable.ts';

/** What stands beside a product in its read model, by the ids that the product holds. */
@Injectable()
export class ProductSurroundingsRepository {
  constructor(private readonly files: FilesRepository) {}

  async of(db: Queryable, contractAccountId: string, product: Product): Promise<ProductSurroundings> {
    return {
      contractAccountId,
      hasImage: (await this.imagesOf(db, contractAccountId, product)).length > 0,
      brand: await this.reference(db, 'brands', product.brandId),
      category: await this.reference(db, 'categories', product.categoryId),
    };
  }

  /** Of all SKUs of a product, those of one SKU together and in their order. */
  async imagesOf(db: Queryable, contractAccountId: string, { skus }: Product): Promise<AttachedFile[]> {
    const ids = skus.map(({ id }) => id);
    const files = await this.files.ofEntities(db, contractAccountId, ids);
    return ids.flatMap((id) => files.filter(({ entityId }) => entityId === id));
  }

  private async reference(
    db: Queryable,
    table: 'brands' | 'categories',
    id: string | null,
  ): Promise<CatalogReference | null> {
    if (id === null) return null;
    const { rows } = await db.query<CatalogReference>(
      `SELECT id, fields->>'name' AS name, external_reference AS "externalReference" FROM ${table} WHERE id = $1`,
      [id],
    );
    return rows[0] ?? null;
  }
}
