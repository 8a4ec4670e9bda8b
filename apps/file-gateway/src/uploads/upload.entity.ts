import type { MediaType } from '@gondola/shared/files/media-types';
import type { PdfFlaw } from './pdf-flaw.ts';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Content that is being received, is complete, or is being deleted. Its bytes are in `upload_chunks`. */
@Index('uploads_sizes', ['tenant', 'size'], { where: `state <> 'deleting'` })
@Index('uploads_of_content', ['tenant', 'sha256'])
@Entity('uploads')
@Check('uploads_state_check', `state IN ('receiving', 'complete', 'deleting')`)
@Check('uploads_uses_check', 'uses >= 0')
@Check('uploads_check', `state <> 'complete' OR (size IS NOT NULL AND sha256 IS NOT NULL)`)
@Index('uploads_expiring', ['expiresAt'])
export class UploadEntity {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ type: 'text', default: 'receiving' })
  state!: 'receiving' | 'complete' | 'deleting';

  @Column({ name: 'media_type', type: 'text' })
  mediaType!: MediaType;

  /** In bytes; until it is complete, the room that it has taken. */
  @Column({ type: 'bigint', nullable: true })
  size!: string | null;

  /** Null until it is complete. */
  @Column({ type: 'text', nullable: true })
  sha256!: string | null;

  /** True if it is a complete file of its media type; null before it was decoded. */
  @Column({ name: 'is_whole', type: 'boolean', nullable: true })
  isWhole!: boolean | null;

  /** Flaw that may prevent viewers from showing a complete PDF. */
  @Column({ type: 'text', nullable: true })
  flaw!: PdfFlaw | null;

  /** Number of open commands that hold it; an upload that is held is not deleted. */
  @Column({ type: 'integer', default: 0 })
  uses!: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
