import { Injectable } from '@nestjs/common';
import type { AttachedFile, Attachment, StoredFile } from '../domain/files/stored-file.ts';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

const COLUMNS = `id, file_name AS "fileName", media_type AS "mediaType", size::float8 AS size, sha256, file_type AS "fileType",
  entity_id AS "entityId", external_reference AS "externalReference", display_order AS "displayOrder"`;

/** The main image first, then as they came in. */
const BY_ORDER = 'ORDER BY display_order NULLS LAST, seq';

/** Files and their contents, piece by piece. */
@Injectable()
export class FilesRepository {
  async begin(
    db: Queryable,
    contractAccountId: string,
    { id, fileName, mediaType }: Omit<StoredFile, 'size' | 'sha256'>,
  ): Promise<void> {
    await db.query('INSERT INTO files (id, contract_account_id, file_name, media_type) VALUES ($1, $2, $3, $4)', [
      id,
      contractAccountId,
      storable(fileName),
      storable(mediaType),
    ]);
  }

  async addPiece(db: Queryable, id: string, position: number, content: Buffer): Promise<void> {
    await db.query('INSERT INTO file_pieces (file_id, position, content) VALUES ($1, $2, $3)', [id, position, content]);
  }

  async complete(db: Queryable, { id, size, sha256 }: StoredFile): Promise<void> {
    await db.query('UPDATE files SET size = $2, sha256 = $3 WHERE id = $1', [id, size, sha256]);
  }

  /** From now on a restart keeps them: an operation waits that will take them. */
  async accept(db: Queryable, ids: readonly string[]): Promise<void> {
    await db.query(`UPDATE files SET state = 'accepted' WHERE id = ANY($1)`, [ids]);
  }

  async attach(db: Queryable, id: string, attachment: Attachment): Promise<void> {
    const { fileType, entityId, externalReference, displayOrder } = attachment;
    await db.query(
      `UPDATE files SET state = 'attached', file_type = $2, entity_id = $3, external_reference = $4, display_order = $5 WHERE id = $1`,
      [id, fileType, entityId, storable(externalReference), displayOrder],
    );
  }

  async remove(db: Queryable, ids: readonly string[]): Promise<void> {
    await db.query('DELETE FROM files WHERE id = ANY($1)', [ids]);
  }

  /** What a process that died left half received. */
  async removeForgotten(db: Queryable): Promise<void> {
    await db.query(`DELETE FROM files WHERE state = 'receiving'`);
  }

  async find(db: Queryable, id: string): Promise<AttachedFile | undefined> {
    const { rows } = await db.query<AttachedFile>(
      `SELECT ${COLUMNS} FROM files WHERE id = lower($1) AND state = 'attached'`,
      [storable(id)],
    );
    return rows[0];
  }

  async ofReference(
    db: Queryable,
    contractAccountId: string,
    reference: string,
    fileType: number,
  ): Promise<AttachedFile[]> {
    const { rows } = await db.query<AttachedFile>(
      `SELECT ${COLUMNS} FROM files
       WHERE contract_account_id = $1 AND external_reference = $2 AND file_type = $3 AND state = 'attached' ${BY_ORDER}`,
      [contractAccountId, storable(reference), fileType],
    );
    return rows;
  }

  /** By the GUIDs of SKUs or orders. */
  async ofEntities(db: Queryable, contractAccountId: string, entityIds: readonly string[]): Promise<AttachedFile[]> {
    const { rows } = await db.query<AttachedFile>(
      `SELECT ${COLUMNS} FROM files
       WHERE contract_account_id = $1 AND entity_id = ANY($2) AND state = 'attached' ${BY_ORDER}`,
      [contractAccountId, entityIds.map(storable)],
    );
    return rows;
  }

  /** Undefined after the last one. */
  async piece(db: Queryable, id: string, position: number): Promise<Buffer | undefined> {
    const { rows } = await db.query<{ content: Buffer }>(
      'SELECT content FROM file_pieces WHERE file_id = $1 AND position = $2',
      [id, position],
    );
    return rows[0]?.content;
  }
}
