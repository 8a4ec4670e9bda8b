import type { Queryable } from '@gondola/messaging/queryable';
import type { Tx } from '@gondola/service-kit/database';
import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json-digits';
import { type KnownProduct, UNKNOWN_PRODUCT } from '../domain/known-product.ts';

/** What is known of products, by lane. */
export class ProductsRepository {
  /** Every lane asked for has an entry. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, KnownProduct>> {
    const { rows } = await db.query<{ lane_id: string; known: string }>(
      'SELECT lane_id, known FROM products WHERE lane_id = ANY ($1::bigint[])',
      [laneIds],
    );
    const found = new Map(rows.map(({ lane_id, known }) => [lane_id, knownFromText(known)]));
    return new Map(laneIds.map((id) => [id, found.get(id) ?? UNKNOWN_PRODUCT]));
  }

  async save(
    tx: Tx,
    product: { laneId: string; tenant: string; externalReference: string; known: KnownProduct },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO products (lane_id, tenant, external_reference, known) VALUES ($1, $2, $3, $4)
       ON CONFLICT (lane_id) DO UPDATE SET known = excluded.known, updated_at = clock_timestamp()`,
      [
        product.laneId,
        product.tenant,
        product.externalReference,
        stringifyWithDigits(product.known as unknown as JsonRecord),
      ],
    );
  }

  /** The lane of a product and what is known of it; null for a product that no record was about. */
  async find(
    db: Queryable,
    tenant: string,
    externalReference: string,
  ): Promise<{ laneId: string; known: KnownProduct } | null> {
    const { rows } = await db.query<{ id: string; known: string | null }>(
      `SELECT lanes.id, products.known FROM lanes LEFT JOIN products ON products.lane_id = lanes.id
       WHERE lanes.tenant = $1 AND lanes.kind = 'product' AND lanes.identity = $2`,
      [tenant, externalReference],
    );
    const [row] = rows;
    if (row === undefined) return null;
    return { laneId: row.id, known: row.known === null ? UNKNOWN_PRODUCT : knownFromText(row.known) };
  }
}

function knownFromText(text: string): KnownProduct {
  const value = parseWithDigits(text);
  if (!isPlainRecord(value) || !isPlainRecord(value['applied'])) throw new Error('A stored product has another form');
  return value as unknown as KnownProduct;
}
