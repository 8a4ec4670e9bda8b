import type { Tx } from '@gondola/service-kit/database/database';
import { Database } from '@gondola/service-kit/database/database';
import type { LoadKey } from '@gondola/lanes/commands/load-counts';
import { Injectable } from '@nestjs/common';
import type { CatalogKind } from '../records/catalog-kinds.ts';
import { PRODUCTS_PLACE, type ResendSelection } from '../records/resend.ts';

/** An entity to send again. */
export interface ResendItem {
  readonly place: number;
  readonly kind: CatalogKind;
  readonly externalReference: string;
}

/** Categories from given roots down, each with its depth. A stored tree has no cycles; the depth would end one. */
const below = (roots: string): string => `
  below (external_reference, depth) AS (
    SELECT root.external_reference, 1 FROM catalog_references AS root
    WHERE root.tenant = $1 AND root.kind = 'category' AND root.is_known AND ${roots}
    UNION
    SELECT child.external_reference, below.depth + 1 FROM catalog_references AS child
    JOIN below ON child.parent = below.external_reference
    WHERE child.tenant = $1 AND child.kind = 'category' AND child.is_known AND below.depth < ${PRODUCTS_PLACE - 1}
  )`;

const INSERT = 'INSERT INTO resend_items (tenant, load_id, place, kind, external_reference)';
const CATEGORIES = `
  SELECT $1, $2, max(depth), 'category', external_reference FROM below GROUP BY external_reference`;

/** $1 tenant, $2 load, $3 reference. */
const ADD: Readonly<Record<ResendSelection['kind'], string>> = {
  product: `
    ${INSERT} SELECT $1, $2, ${PRODUCTS_PLACE}, 'product', external_reference
    FROM products WHERE tenant = $1 AND external_reference = $3`,
  category: `
    WITH RECURSIVE ${below('root.external_reference = $3')}
    ${INSERT} ${CATEGORIES}
    UNION ALL
    SELECT DISTINCT $1, $2, ${PRODUCTS_PLACE}, 'product', p.external_reference FROM below
    JOIN product_references AS r ON r.tenant = $1 AND r.kind = 'category' AND r.external_reference = below.external_reference
    JOIN products AS p ON p.lane_id = r.lane_id`,
  // The parent of a category may be unknown.
  everything: `
    WITH RECURSIVE ${below(`NOT EXISTS (
      SELECT 1 FROM catalog_references AS parent WHERE parent.tenant = $1 AND parent.kind = 'category'
        AND parent.external_reference = root.parent AND parent.is_known)`)}
    ${INSERT} ${CATEGORIES}
    UNION ALL
    SELECT $1, $2, 0, 'brand', external_reference FROM catalog_references
    WHERE tenant = $1 AND kind = 'brand' AND is_known
    UNION ALL
    SELECT $1, $2, ${PRODUCTS_PLACE}, 'product', external_reference FROM products
    WHERE tenant = $1 AND $3::text IS NULL`,
};

/** The table `resend_items`: entities to send again that are not queued yet. */
@Injectable()
export class ResendsRepository {
  constructor(private readonly database: Database) {}

  /** Stores the selected entities with a known state. Returns their number. */
  async add(tx: Tx, { tenant, loadId }: LoadKey, selection: ResendSelection): Promise<number> {
    const reference = selection.kind === 'everything' ? null : selection.externalReference;
    const { rowCount } = await tx.query(ADD[selection.kind], [tenant, loadId, reference]);
    return rowCount ?? 0;
  }

  /** Resends with remaining items; few, since operators start them. */
  async unfinished(): Promise<LoadKey[]> {
    const { rows } = await this.database.query<{ tenant: string; loadId: string }>(
      `SELECT tenant, load_id AS "loadId" FROM loads WHERE source = 'resend' AND EXISTS (
         SELECT 1 FROM resend_items AS i WHERE i.tenant = loads.tenant AND i.load_id = loads.load_id
       ) ORDER BY id`,
    );
    return rows;
  }

  /** The lowest remaining place; null if nothing remains. */
  async nextPlace(tx: Tx, { tenant, loadId }: LoadKey): Promise<number | null> {
    const { rows } = await tx.query<{ place: number | null }>(
      'SELECT min(place) AS place FROM resend_items WHERE tenant = $1 AND load_id = $2',
      [tenant, loadId],
    );
    return rows[0]?.place ?? null;
  }

  /** Removes up to `limit` items of a place and returns them; the load is locked. */
  async takeOut(tx: Tx, { tenant, loadId }: LoadKey, place: number, limit: number): Promise<ResendItem[]> {
    const { rows } = await tx.query<ResendItem & { [column: string]: unknown }>(
      `DELETE FROM resend_items AS i USING (
         SELECT kind, external_reference FROM resend_items
         WHERE tenant = $1 AND load_id = $2 AND place = $3 ORDER BY kind, external_reference LIMIT $4
       ) AS next
       WHERE (i.tenant, i.load_id, i.place, i.kind, i.external_reference) = ($1, $2, $3, next.kind, next.external_reference)
       RETURNING i.place, i.kind, i.external_reference AS "externalReference"`,
      [tenant, loadId, place, limit],
    );
    return rows;
  }
}
