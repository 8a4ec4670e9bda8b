import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { MediaType } from '@gondola/shared/files/media-types';
import type { UploadMetadata, UploadStore } from '../application/file-stores.ts';
import type { FoundUploads } from '../domain/held-content.ts';

interface Row {
  id: string;
  media_type: MediaType;
  size: string;
  sha256: string;
  expires_at: Date;
}

/** What an id has to look like to be looked up at all. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const THERE = `tenant = $1 AND state = 'complete' AND (uses > 0 OR expires_at > clock_timestamp())`;
const COLUMNS = 'id, media_type, size, sha256, expires_at';
/** Longer than any request may last: what is still being received then was left behind by a process that ended. */
const RECEIVING_MS = 3_600_000;

/** The tables `uploads` and `upload_chunks`. */
export class UploadsRepository implements UploadStore {
  readonly #database: Database;
  readonly #keepMs: number;

  constructor(database: Database, keepMs: number) {
    this.#database = database;
    this.#keepMs = keepMs;
  }

  async begin({ id, tenant, mediaType }: { id: string; tenant: string; mediaType: MediaType }): Promise<void> {
    await this.#database.query(
      `INSERT INTO uploads (id, tenant, media_type, expires_at)
       VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')`,
      [id, tenant, mediaType, RECEIVING_MS],
    );
  }

  async addChunk(id: string, position: number, content: Buffer): Promise<void> {
    const text = 'INSERT INTO upload_chunks (upload_id, position, content) VALUES ($1, $2, $3)';
    await this.#database.query(text, [id, position, content]);
  }

  async complete(
    id: string,
    { sha256, size }: { readonly sha256: string; readonly size: number },
  ): Promise<UploadMetadata | null> {
    const { rows } = await this.#database.query<Row>(
      `UPDATE uploads SET state = 'complete', sha256 = $2, size = $3,
         expires_at = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE id = $1 AND state = 'receiving' RETURNING ${COLUMNS}`,
      [id, sha256, size, this.#keepMs],
    );
    return rows[0] === undefined ? null : metadata(rows[0]);
  }

  async discard(id: string): Promise<void> {
    await this.#database.query(`UPDATE uploads SET state = 'deleting' WHERE id = $1 AND state = 'receiving'`, [id]);
    await deleteUpload(this.#database, id);
  }

  async find(tenant: string, id: string): Promise<UploadMetadata | null> {
    if (!UUID.test(id)) return null;
    const text = `SELECT ${COLUMNS} FROM uploads WHERE ${THERE} AND id = $2`;
    const { rows } = await this.#database.query<Row>(text, [tenant, id]);
    return rows[0] === undefined ? null : metadata(rows[0]);
  }

  async lock(tx: Tx, tenant: string, ids: readonly string[]): Promise<FoundUploads> {
    // The same id may be written in capitals.
    const wanted = new Set(ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase()));
    const { rows } = await tx.query<Row>(
      `SELECT ${COLUMNS} FROM uploads WHERE ${THERE} AND id = ANY ($2::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
      [tenant, [...wanted]],
    );
    const found = new Map(rows.map((row) => [row.id, metadata(row)]));
    return new Map(
      ids.flatMap((id): [string, UploadMetadata][] => {
        const upload = found.get(id.toLowerCase());
        return upload === undefined ? [] : [[id, upload]];
      }),
    );
  }

  async hold(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query('UPDATE uploads SET uses = uses + 1 WHERE id = ANY ($1::uuid[])', [ids]);
  }

  async prolong(tx: Tx, id: string, moreMs: number): Promise<string> {
    const { rows } = await tx.query<{ expires_at: Date }>(
      `UPDATE uploads SET expires_at = greatest(expires_at, clock_timestamp() + $2 * interval '1 millisecond')
       WHERE id = $1 RETURNING expires_at`,
      [id, this.#keepMs + moreMs],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('Only an upload that is locked can be prolonged');
    return row.expires_at.toISOString();
  }

  async release(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query('SELECT 1 FROM uploads WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [ids]);
    await tx.query('UPDATE uploads SET uses = uses - 1 WHERE id = ANY ($1::uuid[])', [ids]);
  }

  /** The content of a complete upload, read piece by piece. */
  async *chunks(id: string): AsyncGenerator<Uint8Array> {
    const text = 'SELECT content FROM upload_chunks WHERE upload_id = $1 AND position = $2';
    for (let position = 0; ; position += 1) {
      const { rows } = await this.#database.query<{ content: Buffer }>(text, [id, position]);
      const [row] = rows;
      if (row === undefined) return;
      yield row.content;
    }
  }
}

const CHUNKS_AT_ONCE = 32;

/** Deletes an upload whose state is `deleting`, in statements that each stay short. */
export async function deleteUpload(database: Database, id: string): Promise<void> {
  for (let deleted = CHUNKS_AT_ONCE; deleted === CHUNKS_AT_ONCE;) {
    const { rowCount } = await database.query(
      `DELETE FROM upload_chunks USING (
         SELECT position FROM upload_chunks WHERE upload_id = $1 ORDER BY position LIMIT $2
       ) AS first WHERE upload_id = $1 AND upload_chunks.position = first.position
         AND EXISTS (SELECT 1 FROM uploads WHERE id = $1 AND state = 'deleting')`,
      [id, CHUNKS_AT_ONCE],
    );
    deleted = rowCount ?? 0;
  }
  await database.query(`DELETE FROM uploads WHERE id = $1 AND state = 'deleting'`, [id]);
}

function metadata({ id, media_type, size, sha256, expires_at }: Row): UploadMetadata {
  return { uploadId: id, sha256, size: Number(size), mediaType: media_type, expiresAt: expires_at.toISOString() };
}
