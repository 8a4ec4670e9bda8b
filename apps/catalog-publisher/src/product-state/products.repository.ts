import { multiRow } from '@gondola/messaging/store/multi-row';
import type { Queryable } from '@gondola/messaging/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { type KnownProduct, UNKNOWN_PRODUCT } from './known-product.ts';

export interface KnownRow {
  readonly laneId: string;
  readonly tenant: string;
  readonly externalReference: string;
  readonly known: KnownProduct;
}

const TYPES = ['bigint', 'text', 'text', 'text'] as const;

/** What is known of products, by lane. */
@Injectable()
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

  /** Products by their references; those that no record was about are left out. */
  async ofReferences(db: Queryable, tenant: string, references: readonly string[]): Promise<Map<string, KnownProduct>> {
    if (references.length === 0) return new Map();
    const { rows } = await db.query<{ external_reference: string; known: string }>(
      'SELECT external_reference, known FROM products WHERE tenant = $1 AND external_reference = ANY ($2::text[])',
      [tenant, references],
    );
    return new Map(rows.map((row) => [row.external_reference, knownFromText(row.known)]));
  }

  async save(tx: Tx, rows: readonly KnownRow[]): Promise<void> {
    for (const { tuples, values } of multiRow(rows, TYPES, valuesOf)) {
      await tx.query(
        `INSERT INTO products (lane_id, tenant, external_reference, known) VALUES ${tuples}
         ON CONFLICT (lane_id) DO UPDATE SET known = excluded.known, updated_at = clock_timestamp()`,
        values,
      );
    }
  }
}

function valuesOf({ laneId, tenant, externalReference, known }: KnownRow): readonly unknown[] {
  return [laneId, tenant, externalReference, stringifyWithDigits(known as unknown as JsonRecord)];
}

/** What an earlier version stored lacks what it did not know. */
function knownFromText(text: string): KnownProduct {
  const value = parseWithDigits(text);
  if (!isPlainRecord(value) || !isPlainRecord(value['applied'])) throw new Error('A stored product has another form');
  return { ...UNKNOWN_PRODUCT, ...(value as unknown as KnownProduct) };
}
