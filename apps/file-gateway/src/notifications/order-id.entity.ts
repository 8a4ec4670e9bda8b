import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An order's number and its GUID, which never change. */
@Entity('order_ids')
@Index('order_ids_seen', ['seenAt'])
export class OrderIdEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'order_number', type: 'text' })
  orderNumber!: string;

  @Column({ name: 'order_id', type: 'text' })
  orderId!: string;

  /** When a notification last named the order, to the day. */
  @Column({ name: 'seen_at', type: 'timestamptz', default: () => 'now()' })
  seenAt!: Date;
}
