import { multiRow } from '@gondola/messaging/store/multi-row';
import type { Queryable } from '@gondola/messaging/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { stateFromText, storedText } from '../records/stored-text.ts';
import { type KnownProduct, UNKNOWN_PRODUCT } from './known-product.ts';

export interface KnownRow {
  readonly laneId: string;
  readonly tenant: string;
  readonly externalReference: string;
  readonly known: KnownProduct;
  /** The adoption that `known` includes; null for none. */
  readonly adoption: string | null;
}

/** A product as it is stored. */
export interface StoredProduct {
  readonly known: KnownProduct;
  /** `traceparent` of an adoption that no step has handled yet. */
  readonly adoption: string | null;
}

const TYPES = ['bigint', 'text', 'text', 'text', 'text'] as const;

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
  async adopt(tx: Tx, { laneId, tenant, externalReference, adoption }: Omit<KnownRow, 'known'>): Promise<void> {
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

  /** An adoption that was requested after the row was loaded stays. */
  async save(tx: Tx, rows: readonly KnownRow[]): Promise<void> {
    for (const { tuples, values } of multiRow(rows, TYPES, valuesOf)) {
      await tx.query(
        `INSERT INTO products (lane_id, tenant, external_reference, known, adoption) VALUES ${tuples}
         ON CONFLICT (lane_id) DO UPDATE
           SET known = excluded.known, adoption = NULLIF(products.adoption, excluded.adoption),
             updated_at = clock_timestamp()`,
        values,
      );
    }
  }
}

function valuesOf({ laneId, tenant, externalReference, known, adoption }: KnownRow): readonly unknown[] {
  return [laneId, tenant, externalReference, storedText(known), adoption];
}

function knownFromText(text: string): KnownProduct {
  return stateFromText(text, UNKNOWN_PRODUCT);
}
