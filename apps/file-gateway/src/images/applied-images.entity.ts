import { Column, Entity, PrimaryColumn } from 'typeorm';

import type { AppliedImages } from './applied-images.ts';

/** The images that Gondola last applied to a SKU. */
@Entity('sku_images')
export class AppliedImagesEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  @Column({ type: 'json' })
  applied!: AppliedImages;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  updatedAt!: Date;
}
