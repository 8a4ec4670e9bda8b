import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { UploadEntity } from './upload.entity.ts';

/** A piece of an upload, of at most 256 kB. */
@Entity('upload_chunks')
export class UploadChunkEntity {
  @PrimaryColumn({ name: 'upload_id', type: 'uuid' })
  @ForeignKey(() => UploadEntity, { name: 'upload_chunks_upload_id_fkey', onDelete: 'CASCADE' })
  uploadId!: string;

  /** From 0, without a gap. */
  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
