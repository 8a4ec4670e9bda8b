import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { objectFromText } from '../records/stored-text.ts';
import type { KnownSku, SkuContent } from './known-sku.ts';

/** A SKU with its product's lane and its published state. */
export type SkuRow = KnownSku & { readonly laneId: string };

/** A product that is about to send SKUs. */
export interface SkuClaim {
  readonly laneId: string;
  readonly productExternalReference: string;
  readonly skus: readonly string[];
}

const COLUMNS = `external_reference AS "externalReference", lane_id AS "laneId", product_reference AS "productExternalReference",
  version, snapshot`;

/** The table `skus`: the product and the published state of each SKU. */
@Injectable()
export class SkusRepository {
  /** Loads SKUs by reference and by lane. */
  async load(
    db: Queryable,
    tenant: string,
    wanted: { readonly references: readonly string[]; readonly laneIds: readonly string[] },
  ): Promise<SkuRow[]> {
    const { rows } = await db.query<Omit<SkuRow, 'content'> & { readonly snapshot: string | null }>(
      `SELECT ${COLUMNS} FROM skus
       WHERE tenant = $1 AND external_reference = ANY ($2::text[])
       UNION SELECT ${COLUMNS} FROM skus
       WHERE lane_id = ANY ($3::bigint[])`,
      [tenant, wanted.references, wanted.laneIds],
    );
    return rows.map(({ snapshot, ...sku }) => ({
      ...sku,
      content: snapshot === null ? null : objectFromText<SkuContent>(snapshot),
    }));
  }

  /**
   * Assigns free SKUs to products. Returns the lanes that own all their SKUs; the other lanes get none.
   */
  async claim(tx: Tx, tenant: string, claims: readonly SkuClaim[]): Promise<Set<string>> {
    const wanted = claims.flatMap(({ laneId, productExternalReference, skus }) =>
      skus.map((sku) => ({ sku, laneId, productExternalReference })),
    );
    if (wanted.length > 0) {
      await tx.query(
        `INSERT INTO skus (tenant, external_reference, lane_id, product_reference)
         SELECT $1, wanted.* FROM unnest($2::text[], $3::bigint[], $4::text[]) AS wanted (sku, lane_id, product)
         ORDER BY wanted.sku COLLATE "C" ON CONFLICT DO NOTHING`,
        [
          tenant,
          wanted.map(({ sku }) => sku),
          wanted.map(({ laneId }) => laneId),
          wanted.map(({ productExternalReference }) => productExternalReference),
        ],
      );
    }
    const references = wanted.map(({ sku }) => sku);
    const { rows } = await tx.query<{ sku: string; laneId: string }>(
      'SELECT external_reference AS sku, lane_id AS "laneId" FROM skus WHERE tenant = $1 AND external_reference = ANY ($2::text[])',
      [tenant, references],
    );
    const owners = new Map(rows.map(({ sku, laneId }) => [sku, laneId]));
    const granted = claims.filter(({ laneId, skus }) => skus.every((sku) => owners.get(sku) === laneId));
    return new Set(granted.map(({ laneId }) => laneId));
  }

  /** Frees SKUs that were not applied, except published ones. */
  async release(tx: Tx, tenant: string, skus: readonly { laneId: string; externalReference: string }[]): Promise<void> {
    if (skus.length === 0) return;
    await tx.query(
      `DELETE FROM skus USING unnest($2::bigint[], $3::text[]) AS free (lane_id, external_reference)
       WHERE skus.tenant = $1 AND skus.lane_id = free.lane_id AND skus.external_reference = free.external_reference AND version = 0`,
      [tenant, skus.map(({ laneId }) => laneId), skus.map(({ externalReference }) => externalReference)],
    );
  }

  /** Saves the published state of SKUs, each once; their product is the one of the platform's read model. */
  async savePublished(tx: Tx, tenant: string, skus: readonly SkuRow[]): Promise<void> {
    if (skus.length === 0) return;
    await tx.query(
      `INSERT INTO skus (tenant, external_reference, lane_id, product_reference, version, snapshot)
       SELECT $1, published.* FROM unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])
         AS published (sku, lane_id, product, version, snapshot)
       ORDER BY published.sku COLLATE "C"
       ON CONFLICT (tenant, external_reference) DO UPDATE
         SET lane_id = excluded.lane_id, product_reference = excluded.product_reference, version = excluded.version,
           snapshot = excluded.snapshot`,
      [
        tenant,
        skus.map(({ externalReference }) => externalReference),
        skus.map(({ laneId }) => laneId),
        skus.map(({ productExternalReference }) => productExternalReference),
        skus.map(({ version }) => version),
        skus.map(({ content }) => (content === null ? null : JSON.stringify(content))),
      ],
    );
  }
}
