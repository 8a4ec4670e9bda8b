import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';

/** A brand or category that a product has, or is about to get. */
export interface ProductReference {
  readonly laneId: string;
  readonly kind: 'brand' | 'category';
  readonly externalReference: string;
}

/** The table `product_references`: a brand that a product refers to cannot be removed (rule 29). */
@Injectable()
export class ProductReferencesRepository {
  async add(tx: Tx, tenant: string, references: readonly ProductReference[]): Promise<void> {
    if (references.length === 0) return;
    await tx.query(
      `INSERT INTO product_references (tenant, lane_id, kind, external_reference)
       SELECT $1, added.* FROM unnest($2::bigint[], $3::text[], $4::text[]) AS added (lane_id, kind, external_reference)
       ORDER BY added.lane_id, added.kind ON CONFLICT DO NOTHING`,
      [tenant, ...columnsOf(references)],
    );
  }

  /**
   * Removes references that products no longer have: all others of their kinds, whose present ones are given.
   *
   * @param known products and kinds of which it is known what they have; other references stay, since they may be there
   * @param references what they have
   */
  async replace(
    tx: Tx,
    tenant: string,
    known: ReadonlyArray<Pick<ProductReference, 'laneId' | 'kind'>>,
    references: readonly ProductReference[],
  ): Promise<void> {
    await tx.query(
      `DELETE FROM product_references USING unnest($1::bigint[], $2::text[]) AS known (lane_id, kind)
       WHERE product_references.lane_id = known.lane_id AND product_references.kind = known.kind`,
      [known.map(({ laneId }) => laneId), known.map(({ kind }) => kind)],
    );
    await this.add(tx, tenant, references);
  }
}

function columnsOf(references: readonly ProductReference[]): unknown[] {
  return [
    references.map(({ laneId }) => laneId),
    references.map(({ kind }) => kind),
    references.map(({ externalReference }) => externalReference),
  ];
}
