import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A SKU with its product, written before it is sent the first time, so that it never appears under two products.
 * Written and read by the statements of `skus.repository.ts`.
 */
@Entity('skus')
@Index('skus_lane', ['laneId'])
export class SkuEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  tenant!: string;

  @PrimaryColumn({ name: 'external_reference', type: 'text', collation: 'C' })
  externalReference!: string;

  /** Lane of the product. */
  @Column({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ name: 'product_reference', type: 'text' })
  productReference!: string;

  /** Version of the last snapshot; 0 before the first. */
  @Column({ type: 'bigint', default: 0 })
  version!: string;

  /** The last published snapshot as JSON text; null for none or a tombstone. */
  @Column({ type: 'text', nullable: true })
  snapshot!: string | null;
}
