import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Newest snapshot of a SKU, with the fields that resolve items of orders. */
@Entity('skus')
@Index('skus_by_guid', ['tenant', 'skuId'])
@Index('skus_by_reference', ['tenant', 'reference'])
@Index('skus_by_external_reference', ['tenant', 'skuExternalReference'])
export class SkuEntity {
  /** Key of the record. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'sku_external_reference', type: 'text' })
  skuExternalReference!: string;

  @Column({ name: 'sku_id', type: 'text', nullable: true })
  skuId!: string | null;

  @Column({ name: 'product_id', type: 'text', nullable: true })
  productId!: string | null;

  @Column({ type: 'text', nullable: true })
  ean!: string | null;

  @Column({ type: 'text', nullable: true })
  reference!: string | null;

  @Column({ type: 'text', nullable: true })
  name!: string | null;
}
