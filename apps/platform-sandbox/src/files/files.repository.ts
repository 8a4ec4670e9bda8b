import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { In, type FindOptionsWhere, type Repository } from 'typeorm';
import { FileEntity } from './file.entity.ts';
import type { AttachedFile, Attachment } from './stored-file.ts';

@Injectable()
export class FilesRepository {
  constructor(private readonly database: Database) {}

  /** Protects the files from deletion at a restart, because an operation that takes them is queued. */
  async accept(files: readonly { readonly id: string }[], tx: Tx): Promise<void> {
    await this.files(tx).update({ id: In(files.map(({ id }) => id)) }, { state: 'accepted' });
  }

  async attach(id: string, attachment: Attachment, tx: Tx): Promise<void> {
    await this.files(tx).update({ id }, { state: 'attached', ...attachment });
  }

  /**
   * Places a received file under this name in its merchant's folder; it belongs to no entity until it is attached.
   */
  async place(id: string, named: Pick<FileEntity, 'fileName' | 'mediaType'>, tx: Tx): Promise<void> {
    await this.files(tx).update({ id }, { state: 'placed', ...named });
  }

  /** Sorted by name; in a transaction, the files stay locked until it ends. */
  async placed(where: FindOptionsWhere<FileEntity>, tx?: Tx): Promise<FileEntity[]> {
    return this.files(tx).find({
      where: { ...where, state: 'placed' },
      order: { fileName: 'ASC' },
      ...(tx && { lock: { mode: 'pessimistic_write' } }),
    });
  }

  async remove(files: readonly { readonly id: string }[], tx?: Tx): Promise<void> {
    if (files.length > 0) await this.files(tx).delete({ id: In(files.map(({ id }) => id)) });
  }

  /** The main image first, then in the order of arrival. */
  async attached(where: FindOptionsWhere<FileEntity>, tx?: Tx): Promise<AttachedFile[]> {
    return this.files(tx).find({
      where: { ...where, state: 'attached' },
      order: { displayOrder: { direction: 'ASC', nulls: 'LAST' }, seq: 'ASC' },
    });
  }

  private files(tx?: Tx): Repository<FileEntity> {
    return this.database.repository(FileEntity, tx);
  }
}
