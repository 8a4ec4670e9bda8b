import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { StoredImages } from './stored-images.ts';

/** The images that Gondola last applied to a SKU. */
@Entity('sku_images')
@Index('sku_images_updated', ['updatedAt'])
export class AppliedImagesEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  @Column({ type: 'json' })
  applied!: StoredImages;

  /** When it was last saved or, to the day, used. */
  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
