import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { stateFromText, storedText } from '../records/stored-text.ts';
import { type KnownProduct, UNKNOWN_PRODUCT } from './known-product.ts';
import type { ProductWords } from './product-words.ts';

export interface KnownRow extends ProductWords {
  readonly laneId: string;
  readonly tenant: string;
  readonly externalReference: string;
  readonly known: KnownProduct;
  /** The adoption that `known` includes; null for none. */
  readonly adoption: string | null;
}

/** A product as operators find it. */
export interface FoundProduct {
  readonly laneId: string;
  readonly externalReference: string;
  readonly name: string | null;
  readonly exists: boolean;
  readonly updatedAt: Date;
}

/** A product as it is stored. */
export interface StoredProduct {
  readonly known: KnownProduct;
  /** `traceparent` of an adoption that no step has handled yet. */
  readonly adoption: string | null;
}

const COLUMNS: readonly Column<KnownRow>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['tenant', 'text', ({ tenant }) => tenant],
  ['external_reference', 'text', ({ externalReference }) => externalReference],
  ['known', 'text', ({ known }) => storedText(known)],
  ['adoption', 'text', ({ adoption }) => adoption],
  ['name', 'text', ({ name }) => name],
  ['words', 'text', ({ words }) => words],
];
/** An adoption that was requested after the row was loaded stays. */
const UPDATE = `ON CONFLICT (lane_id) DO UPDATE
  SET known = excluded.known, adoption = NULLIF(products.adoption, excluded.adoption),
    name = coalesce(excluded.name, products.name), words = coalesce(nullif(excluded.words, ''), products.words),
    updated_at = clock_timestamp()`;

/** A text of ours in unaccented lower case, as the migration folds words. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The table `products`: stored state of products, by lane. */
@Injectable()
export class ProductsRepository {
  /** Returns an entry for every lane. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, StoredProduct>> {
    const { rows } = await db.query<{ laneId: string; known: string; adoption: string | null }>(
      'SELECT lane_id AS "laneId", known, adoption FROM products WHERE lane_id = ANY ($1::bigint[])',
      [laneIds],
    );
    const found = new Map(
      rows.map(({ laneId, known, adoption }) => [laneId, { known: knownFromText(known), adoption }]),
    );
    return new Map(laneIds.map((id) => [id, found.get(id) ?? { known: UNKNOWN_PRODUCT, adoption: null }]));
  }

  /**
   * A tenant's products whose reference begins with a text, or that have words beginning with each of its words; in the
   * order of their references, behind `after`.
   */
  async search(
    db: Queryable,
    tenant: string,
    text: string,
    after: string | null,
    limit: number,
  ): Promise<FoundProduct[]> {
    const values: unknown[] = [tenant, limit];
    const words = folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
    const found = [
      ...(text === '' ? [] : [`external_reference LIKE $${values.push(`${text.replaceAll(/[\\%_]/g, '\\$&')}%`)}`]),
      ...(words.length === 0
        ? []
        : [`folded @@ to_tsquery('simple', $${values.push(words.map((word) => `${word}:*`).join(' & '))})`]),
    ];
    const conditions = [
      'tenant = $1',
      ...(found.length === 0 ? [] : [`(${found.join(' OR ')})`]),
      ...(after === null ? [] : [`external_reference > $${values.push(after)}`]),
    ];
    const { rows } = await db.query<Omit<FoundProduct, 'exists'> & { known: string }>(
      `SELECT lane_id AS "laneId", external_reference AS "externalReference", name, known, updated_at AS "updatedAt"
       FROM products WHERE ${conditions.join(' AND ')} ORDER BY external_reference LIMIT $2`,
      values,
    );
    return rows.map(({ known, ...row }) => ({ ...row, exists: knownFromText(known).exists }));
  }

  /** A tenant's products ordered by reference, from behind `after` on; null for all. */
  async page(
    db: Queryable,
    tenant: string,
    after: string | null,
    limit: number,
  ): Promise<{ readonly externalReference: string; readonly known: KnownProduct }[]> {
    const { rows } = await db.query<{ externalReference: string; known: string }>(
      `SELECT external_reference AS "externalReference", known FROM products
       WHERE tenant = $1 AND ($2::text IS NULL OR external_reference > $2)
       ORDER BY external_reference LIMIT $3`,
      [tenant, after, limit],
    );
    return rows.map((row) => ({ ...row, known: knownFromText(row.known) }));
  }

  /** Number of a tenant's products behind a reference, or `most` if there are more. */
  async countAfter(db: Queryable, tenant: string, after: string | null, most: number): Promise<number> {
    const { rows } = await db.query<{ count: number }>(
      `SELECT count(*)::float8 AS count FROM (
         SELECT 1 FROM products WHERE tenant = $1 AND ($2::text IS NULL OR external_reference > $2) LIMIT $3
       ) AS behind`,
      [tenant, after, most],
    );
    return rows[0]?.count ?? 0;
  }

  /** Has the product's next step read it and publish its SKUs. The transaction has woken the lane. */
  async adopt(
    tx: Tx,
    { laneId, tenant, externalReference, adoption }: Omit<KnownRow, 'known' | keyof ProductWords>,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO products (lane_id, tenant, external_reference, known, adoption) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (lane_id) DO UPDATE SET adoption = excluded.adoption`,
      [laneId, tenant, externalReference, storedText(UNKNOWN_PRODUCT), adoption],
    );
  }

  /** Products by reference, without those that no record named. */
  async ofReferences(db: Queryable, tenant: string, references: readonly string[]): Promise<Map<string, KnownProduct>> {
    if (references.length === 0) return new Map();
    const { rows } = await db.query<{ reference: string; known: string }>(
      `SELECT external_reference AS reference, known FROM products
       WHERE tenant = $1 AND external_reference = ANY ($2::text[])`,
      [tenant, references],
    );
    return new Map(rows.map(({ reference, known }) => [reference, knownFromText(known)]));
  }

  async save(tx: Tx, rows: readonly KnownRow[]): Promise<void> {
    await insertRows(tx, 'products', COLUMNS, rows, UPDATE);
  }
}

function knownFromText(text: string): KnownProduct {
  return stateFromText(text, UNKNOWN_PRODUCT);
}
