import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An order's number and its GUID, which never change. */
@Entity('order_ids')
export class OrderIdEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'order_number', type: 'text' })
  orderNumber!: string;

  @Column({ name: 'order_id', type: 'text' })
  orderId!: string;
}
