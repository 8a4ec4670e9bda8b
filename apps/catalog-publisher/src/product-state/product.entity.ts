import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Stored state of a product. Written and read by the statements of `products.repository.ts`. */
@Entity('products')
@Unique('products_tenant_external_reference_key', ['tenant', 'externalReference'])
export class ProductEntity {
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  /** A `KnownProduct` as JSON text; numbers have the digits of the record. */
  @Column({ type: 'text' })
  known!: string;

  /** `traceparent` of an operator's request to publish the shop's SKUs; null for none. */
  @Column({ type: 'text', nullable: true })
  adoption!: string | null;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
