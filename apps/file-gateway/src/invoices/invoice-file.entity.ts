import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The PDF that Gondola last attached to an order. No row: nothing was attached, or the attached content is not
 * known.
 */
@Entity('invoice_files')
export class InvoiceFileEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'order_id', type: 'text' })
  orderId!: string;

  @Column({ type: 'text' })
  sha256!: string;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
