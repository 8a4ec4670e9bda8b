import { Injectable } from '@nestjs/common';
import type { Brand } from '../domain/catalog/brand.ts';
import { parseExact, type JsonObject } from '../domain/exact-json.ts';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

@Injectable()
export class BrandsRepository {
  async find(db: Queryable, contractAccountId: string, externalReference: string): Promise<Brand | undefined> {
    const { rows } = await db.query<{ id: string; external_reference: string; fields: string }>(
      `SELECT id, external_reference, fields::text AS fields FROM brands
       WHERE contract_account_id = $1 AND external_reference = $2`,
      [contractAccountId, storable(externalReference)],
    );
    const [row] = rows;
    return (
      row && { id: row.id, externalReference: row.external_reference, fields: parseExact(row.fields) as JsonObject }
    );
  }

  /** The core's ids of those that there are, by reference as given. */
  async idsOf(
    db: Queryable,
    contractAccountId: string,
    externalReferences: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (externalReferences.length === 0) return new Map();
    const { rows } = await db.query<{ id: string; external_reference: string }>(
      'SELECT id, external_reference FROM brands WHERE contract_account_id = $1 AND external_reference = ANY($2)',
      [contractAccountId, externalReferences.map(storable)],
    );
    const ids = new Map(rows.map((row) => [row.external_reference, row.id]));
    return new Map(
      externalReferences.flatMap((reference) => {
        const id = ids.get(storable(reference));
        return id === undefined ? [] : [[reference, id] as const];
      }),
    );
  }

  async save(db: Queryable, contractAccountId: string, brand: Brand): Promise<void> {
    await db.query(
      `INSERT INTO brands (id, contract_account_id, external_reference, fields) VALUES ($1, $2, $3, $4)
       ON CONFLICT (id) DO UPDATE SET fields = excluded.fields`,
      [brand.id, contractAccountId, storable(brand.externalReference), JSON.stringify(brand.fields)],
    );
  }

  /** False when there is none. Products that name it lose their brand. */
  async remove(db: Queryable, contractAccountId: string, externalReference: string): Promise<boolean> {
    const { rowCount } = await db.query(
      'DELETE FROM brands WHERE contract_account_id = $1 AND external_reference = $2',
      [contractAccountId, storable(externalReference)],
    );
    return rowCount === 1;
  }
}
