import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of a newly known SKU for which orders wait that are still to be woken. */
@Entity('arrived_skus')
export class ArrivedSkuEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  /** As in `orders.awaited_skus`. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  /** The waiting orders up to this lane are woken. */
  @Column({ name: 'after_lane', type: 'bigint', default: 0 })
  afterLane!: string;
}
