import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The PDF that Gondola last attached to an order. No row: nothing was attached, or the attached content is not
 * known.
 */
@Entity('invoice_files')
@Index('invoice_files_updated', ['updatedAt'])
export class InvoiceFileEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'order_id', type: 'text' })
  orderId!: string;

  @Column({ type: 'text' })
  sha256!: string;

  /** When it was last saved or, to the day, used. */
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
