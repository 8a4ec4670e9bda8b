import { Injectable } from '@nestjs/common';
import type { Product, Sku } from '../domain/catalog/product.ts';
import { parseExact, type JsonObject } from '../domain/exact-json.ts';
import { Shelf, slugOf } from './product-shelf.ts';
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

/** What the items of a batch name. */
export interface ShelfWanted {
  readonly references: readonly string[];
  readonly slugs: readonly string[];
  readonly skus: readonly string[];
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

  /** What a merchant's shop has of what a batch names. */
  async shelf(db: Queryable, contractAccountId: string, { references, slugs, skus }: ShelfWanted): Promise<Shelf> {
    const where = 'p.contract_account_id = $1 AND p.external_reference = ANY($2)';
    const found = await this.select(db, where, [contractAccountId, references.map(storable)]);
    const { rows: slugRows } = await db.query<{ slug: string; external_reference: string }>(
      'SELECT slug, external_reference FROM products WHERE contract_account_id = $1 AND slug = ANY($2)',
      [contractAccountId, slugs.map(storable)],
    );
    const { rows: skuRows } = await db.query<{ external_reference: string; product_id: string }>(
      'SELECT external_reference, product_id FROM skus WHERE contract_account_id = $1 AND external_reference = ANY($2)',
      [contractAccountId, skus.map(storable)],
    );
    return new Shelf({
      products: found.map(({ product }) => product),
      slugOwners: new Map(slugRows.map((row) => [row.slug, row.external_reference])),
      skuOwners: new Map(skuRows.map((row) => [row.external_reference, row.product_id])),
    });
  }

  /** Each product once. */
  async save(db: Queryable, contractAccountId: string, products: readonly Product[]): Promise<void> {
    if (products.length === 0) return;
    await db.query(
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
    await db.query(
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
