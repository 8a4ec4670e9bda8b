import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantEntity } from '../tenants/tenant.entity.ts';
import { outsideText, wholeNumber } from '../values/column-values.adapter.ts';
import type { AttachedFile, FileType } from './stored-file.ts';

/**
 * By SFTP: `placed` until a call links it. By a form: `receiving` until the call that brings it is answered, `accepted`
 * until the core has taken it. `attached` to an entity from then on: only then `entityId` and its like are there.
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

/** A piece of a file's content, so that neither side ever holds a whole one. */
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
