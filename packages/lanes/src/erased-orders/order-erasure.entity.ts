import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Record that the content of an order was erased here. The row stays, so that later content is not stored. */
@Entity('order_erasures')
@Index('order_erasures_order', ['tenant', 'orderNumber'])
export class OrderErasureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'order_number', type: 'text' })
  orderNumber!: string;

  @Column({ name: 'erased_at', type: 'timestamptz' })
  at!: Date;

  /** Number of erased rows by kind. */
  @Column({ type: 'json' })
  erased!: Readonly<Record<string, number>>;
}
