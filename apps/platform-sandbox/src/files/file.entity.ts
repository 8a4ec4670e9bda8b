import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { outsideText, wholeNumber } from '../values/column-values.adapter.ts';
import type { AttachedFile, FileType } from './stored-file.ts';

/**
 * An uploaded file. By SFTP: `placed` until a call links it. By a form: `receiving` until its call is answered,
 * `accepted` until the core has taken it. Then it is `attached` to an entity; only then `entityId` and the related
 * columns are set.
 */
@Entity('files')
@Check('files_state_check', `state IN ('receiving', 'placed', 'accepted', 'attached')`)
@Index('files_reference', ['contractAccountId', 'externalReference', 'fileType'])
@Index('files_placed', ['contractAccountId', 'fileName'], { unique: true, where: `state = 'placed'` })
@Index('files_entity', ['contractAccountId', 'entityId'])
export class FileEntity implements AttachedFile {
  @Column({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  seq!: string;

  @PrimaryColumn({ type: 'text', transformer: outsideText })
  id!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  @ForeignKey(() => TenantEntity, { name: 'files_contract_account_id_fkey' })
  contractAccountId!: string;

  @Column({ type: 'text', default: 'receiving' })
  state!: 'receiving' | 'placed' | 'accepted' | 'attached';

  @Column({ name: 'file_name', type: 'text', transformer: outsideText })
  fileName!: string;

  @Column({ name: 'media_type', type: 'text', transformer: outsideText })
  mediaType!: string;

  @Column({ type: 'bigint', default: 0, transformer: wholeNumber })
  size!: number;

  @Column({ type: 'text', nullable: true })
  sha256!: string;

  @Column({ name: 'file_type', type: 'integer', nullable: true })
  fileType!: FileType;

  @Column({ name: 'entity_id', type: 'text', nullable: true, transformer: outsideText })
  entityId!: string;

  @Column({ name: 'external_reference', type: 'text', nullable: true, transformer: outsideText })
  externalReference!: string;

  @Column({ name: 'display_order', type: 'integer', nullable: true })
  displayOrder!: number | null;
}

/** A piece of a file's content, so that no process holds a whole file in memory. */
@Entity('file_pieces')
export class FilePieceEntity {
  @PrimaryColumn({ name: 'file_id', type: 'text' })
  @ForeignKey(() => FileEntity, { name: 'file_pieces_file_id_fkey', onDelete: 'CASCADE' })
  fileId!: string;

  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;
}
