import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** That the content of an order was erased here. The row stays as the record of it, and keeps later content out. */
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

  /** How many of what. */
  @Column({ type: 'json' })
  erased!: Readonly<Record<string, number>>;
}
