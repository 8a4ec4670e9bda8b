import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UploadEntity } from '../uploads/upload.entity.ts';

/** Content that was fetched for a command and stored as an upload; deleted with the upload. */
@Entity('fetched_contents')
export class FetchedContentEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  /**
   * Id of the command, or of the ERP's command that it was derived from, so that the checked content is the one
   * sent.
   */
  @PrimaryColumn({ name: 'command_id', type: 'text' })
  commandId!: string;

  /** SHA-256 of the URL or path, in hexadecimal digits. */
  @PrimaryColumn({ type: 'text' })
  source!: string;

  @Index('fetched_contents_upload')
  @Column({ name: 'upload_id', type: 'uuid' })
  @ForeignKey(() => UploadEntity, { name: 'fetched_contents_upload_id_fkey', onDelete: 'CASCADE' })
  uploadId!: string;
}
