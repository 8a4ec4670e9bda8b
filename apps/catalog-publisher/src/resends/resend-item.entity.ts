import { Entity, PrimaryColumn } from 'typeorm';

/** A brand, category or product of a resend that is not queued yet. */
@Entity('resend_items')
export class ResendItemEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'load_id', type: 'text' })
  loadId!: string;

  /** Order in which items are sent: brands, then categories from the root down, then products. */
  @PrimaryColumn({ type: 'integer' })
  place!: number;

  @PrimaryColumn({ type: 'text' })
  kind!: string;

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;
}
