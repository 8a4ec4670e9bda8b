import { Injectable } from '@nestjs/common';
import type { Product, Sku } from '../domain/catalog/product.ts';
import { keyOf, parseExact, type JsonObject } from '../domain/exact-json.ts';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

interface ProductRow {
  id: string;
  contract_account_id: string;
  external_reference: string;
  fields: string;
  brand_id: string | null;
  category_id: string | null;
  created_at: string;
  updated_at: string;
}

interface SkuRow {
  id: string;
  product_id: string;
  external_reference: string;
  fields: string;
}

export interface StoredProduct {
  readonly contractAccountId: string;
  readonly product: Product;
}

// As text, so that the driver's parser does not turn digits into floats.
const PRODUCT_COLUMNS =
  'p.id, p.contract_account_id, p.external_reference, p.fields::text AS fields, p.brand_id, p.category_id, p.created_at, p.updated_at';

@Injectable()
export class ProductsRepository {
  async find(db: Queryable, contractAccountId: string, externalReference: string): Promise<Product | undefined> {
    const where = 'p.contract_account_id = $1 AND p.external_reference = $2';
    const [found] = await this.select(db, where, [contractAccountId, storable(externalReference)]);
    return found?.product;
  }

  /** Of every merchant that has one by this reference. */
  async findAnywhere(db: Queryable, externalReference: string): Promise<StoredProduct[]> {
    return this.select(db, 'p.external_reference = $1', [storable(externalReference)]);
  }

  async findBySku(db: Queryable, contractAccountId: string, skuReference: string): Promise<Product | undefined> {
    const where = 'p.id = (SELECT product_id FROM skus WHERE contract_account_id = $1 AND external_reference = $2)';
    const [found] = await this.select(db, where, [contractAccountId, storable(skuReference)]);
    return found?.product;
  }

  /** The reference of the product that has a slug. */
  async ownerOfSlug(db: Queryable, contractAccountId: string, slug: string): Promise<string | undefined> {
    const { rows } = await db.query<{ external_reference: string }>(
      'SELECT external_reference FROM products WHERE contract_account_id = $1 AND slug = $2',
      [contractAccountId, storable(slug)],
    );
    return rows[0]?.external_reference;
  }

  /** Which of these SKU references belong to another product than the one given. */
  async foreignSkus(
    db: Queryable,
    contractAccountId: string,
    productId: string | undefined,
    skuReferences: readonly string[],
  ): Promise<Set<string>> {
    if (skuReferences.length === 0) return new Set();
    const { rows } = await db.query<{ external_reference: string }>(
      `SELECT external_reference FROM skus
       WHERE contract_account_id = $1 AND product_id IS DISTINCT FROM $2 AND external_reference = ANY($3)`,
      [contractAccountId, productId ?? null, skuReferences.map(storable)],
    );
    return new Set(rows.map((row) => row.external_reference));
  }

  async save(db: Queryable, contractAccountId: string, product: Product): Promise<void> {
    await db.query(
      `INSERT INTO products (id, contract_account_id, external_reference, slug, fields, brand_id, category_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (id) DO UPDATE SET slug = excluded.slug, fields = excluded.fields, brand_id = excluded.brand_id,
         category_id = excluded.category_id, updated_at = excluded.updated_at`,
      [
        product.id,
        contractAccountId,
        storable(product.externalReference),
        storable(slugOf(product)),
        JSON.stringify(product.fields),
        product.brandId,
        product.categoryId,
        product.createdAt,
        product.updatedAt,
      ],
    );
    await db.query(
      `INSERT INTO skus (id, product_id, contract_account_id, external_reference, position, fields)
       SELECT id, $1, $2, external_reference, position, fields
       FROM unnest($3::text[], $4::text[], $5::json[]) WITH ORDINALITY AS s (id, external_reference, fields, position)
       ON CONFLICT (id) DO UPDATE SET fields = excluded.fields`,
      [
        product.id,
        contractAccountId,
        product.skus.map(({ id }) => id),
        product.skus.map(({ externalReference }) => storable(externalReference)),
        product.skus.map(({ fields }) => JSON.stringify(fields)),
      ],
    );
  }

  private async select(db: Queryable, where: string, values: unknown[]): Promise<StoredProduct[]> {
    const { rows } = await db.query<ProductRow>(`SELECT ${PRODUCT_COLUMNS} FROM products p WHERE ${where}`, values);
    if (rows.length === 0) return [];
    const skus = await db.query<SkuRow>(
      `SELECT id, product_id, external_reference, fields::text AS fields FROM skus
       WHERE product_id = ANY($1) ORDER BY product_id, position`,
      [rows.map(({ id }) => id)],
    );
    return rows.map((row) => ({
      contractAccountId: row.contract_account_id,
      product: {
        id: row.id,
        externalReference: row.external_reference,
        fields: parseExact(row.fields) as JsonObject,
        skus: skus.rows.filter(({ product_id }) => product_id === row.id).map(skuOf),
        brandId: row.brand_id,
        categoryId: row.category_id,
        createdAt: BigInt(row.created_at),
        updatedAt: BigInt(row.updated_at),
      },
    }));
  }
}

function skuOf(row: SkuRow): Sku {
  return { id: row.id, externalReference: row.external_reference, fields: parseExact(row.fields) as JsonObject };
}

function slugOf(product: Product): string {
  const slug = keyOf(product.fields, 'slug');
  return typeof slug === 'string' ? slug : '';
}
