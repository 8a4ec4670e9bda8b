import { Injectable } from '@nestjs/common';
import type { Category } from '../domain/catalog/category.ts';
import { parseExact, type JsonObject } from '../domain/exact-json.ts';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

interface CategoryRow {
  id: string;
  external_reference: string;
  parent_id: string | null;
  fields: string;
}

const COLUMNS = 'c.id, c.external_reference, c.parent_id, c.fields::text AS fields';

@Injectable()
export class CategoriesRepository {
  async find(db: Queryable, contractAccountId: string, externalReference: string): Promise<Category | undefined> {
    const { rows } = await db.query<CategoryRow>(
      `SELECT ${COLUMNS} FROM categories c WHERE contract_account_id = $1 AND external_reference = $2`,
      [contractAccountId, storable(externalReference)],
    );
    return rows[0] && categoryOf(rows[0]);
  }

  /** The category and those above it, up to the root. */
  async path(db: Queryable, id: string): Promise<Category[]> {
    const { rows } = await db.query<CategoryRow>(
      `WITH RECURSIVE above AS (
         SELECT id, parent_id, 0 AS distance FROM categories WHERE id = $1
         UNION ALL
         SELECT c.id, c.parent_id, distance + 1 FROM above JOIN categories c ON c.id = above.parent_id
       )
       SELECT ${COLUMNS} FROM above JOIN categories c USING (id) ORDER BY distance`,
      [id],
    );
    return rows.map(categoryOf);
  }

  /** By reference. */
  async children(db: Queryable, id: string): Promise<Category[]> {
    const { rows } = await db.query<CategoryRow>(
      `SELECT ${COLUMNS} FROM categories c WHERE parent_id = $1 ORDER BY external_reference`,
      [id],
    );
    return rows.map(categoryOf);
  }

  /** The core's ids of those that there are, by reference as given. */
  async idsOf(
    db: Queryable,
    contractAccountId: string,
    externalReferences: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (externalReferences.length === 0) return new Map();
    const { rows } = await db.query<{ id: string; external_reference: string }>(
      'SELECT id, external_reference FROM categories WHERE contract_account_id = $1 AND external_reference = ANY($2)',
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

  async save(db: Queryable, contractAccountId: string, category: Category): Promise<void> {
    await db.query(
      `INSERT INTO categories (id, contract_account_id, external_reference, parent_id, fields) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO UPDATE SET parent_id = excluded.parent_id, fields = excluded.fields`,
      [
        category.id,
        contractAccountId,
        storable(category.externalReference),
        category.parentId,
        JSON.stringify(category.fields),
      ],
    );
  }
}

function categoryOf(row: CategoryRow): Category {
  return {
    id: row.id,
    externalReference: row.external_reference,
    parentId: row.parent_id,
    fields: parseExact(row.fields) as JsonObject,
  };
}
