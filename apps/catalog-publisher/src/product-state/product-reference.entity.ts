import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { ReferenceKind } from '../records/catalog-kinds.ts';

/**
 * A brand or category that a product has, or is about to get. Written by the statements of
 * `product-references.repository.ts`, read by those of `references.repository.ts`.
 */
@Entity('product_references')
@Index('product_references_named', ['tenant', 'kind', 'externalReference'])
export class ProductReferenceEntity {
  /** Lane of the product. */
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: ReferenceKind;

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;
}
