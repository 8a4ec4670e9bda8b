import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { UploadEntity } from './upload.entity.ts';

/** A chunk of an upload, at most 256 kB long. */
@Entity('upload_chunks')
export class UploadChunkEntity {
  @PrimaryColumn({ name: 'upload_id', type: 'uuid' })
  @ForeignKey(() => UploadEntity, { name: 'upload_chunks_upload_id_fkey', onDelete: 'CASCADE' })
  uploadId!: string;

  /** From 0, without gaps. */
  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
