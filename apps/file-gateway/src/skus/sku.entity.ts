import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A SKU that the platform has, as catalog-publisher publishes it. */
@Entity('skus')
export class SkuEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
