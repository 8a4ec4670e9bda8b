import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { HeldImage } from '../uploads/held-content.ts';

/**
 * Images that a `PublishSkuImages` uploaded and their addresses on the platform, so that the upload can be undone.
 */
@Entity('image_uploads')
export class ImageUploadEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'command_id', type: 'text' })
  commandId!: string;

  @Column({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  @Column({ type: 'json' })
  images!: readonly HeldImage[];

  @Column({ type: 'json' })
  urls!: readonly string[];

  @Index('image_uploads_applied')
  @Column({ name: 'applied_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  appliedAt!: Date;
}
