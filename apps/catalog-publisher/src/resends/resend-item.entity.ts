import { Entity, PrimaryColumn } from 'typeorm';

/** A brand, category or product that is to be sent again and is in no queue yet. */
@Entity('resend_items')
export class ResendItemEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'load_id', type: 'text' })
  loadId!: string;

  /** Lower ones go first: brands, then categories from the top, then products. */
  @PrimaryColumn({ type: 'integer' })
  place!: number;

  @PrimaryColumn({ type: 'text' })
  kind!: string;

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;
}
