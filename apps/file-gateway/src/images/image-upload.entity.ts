import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { HeldImage } from '../uploads/held-content.ts';

/** The images that a `PublishSkuImages` brought to the platform, and their addresses there: what can be undone. */
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
