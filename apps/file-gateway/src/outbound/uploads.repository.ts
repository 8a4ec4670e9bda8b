import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { MediaType } from '@gondola/shared/files/media-types';
import { type FindOptionsWhere, In, MoreThan, Raw } from 'typeorm';
import type { UploadMetadata, UploadStore } from '../application/file-stores.ts';
import type { FoundUploads } from '../domain/held-content.ts';
import { UploadChunkEntity } from './upload-chunk.entity.ts';
import { UploadEntity } from './upload.entity.ts';

/** What an id has to look like to be looked up at all. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

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
    await this.#uploads().insert({ id, tenant, mediaType, expiresAt: () => fromNow(RECEIVING_MS) });
  }

  async addChunk(id: string, position: number, content: Buffer): Promise<void> {
    await this.#database.repository(UploadChunkEntity).insert({ uploadId: id, position, content });
  }

  async complete(
    id: string,
    { sha256, size }: { readonly sha256: string; readonly size: number },
  ): Promise<UploadMetadata | null> {
    const { affected } = await this.#uploads().update(
      { id, state: 'receiving' },
      { state: 'complete', sha256, size: String(size), expiresAt: () => fromNow(this.#keepMs) },
    );
    if (affected === 0) return null;
    const upload = await this.#uploads().findOneBy({ id });
    return upload === null ? null : metadata(upload);
  }

  async discard(id: string): Promise<void> {
    await this.#uploads().update({ id, state: 'receiving' }, { state: 'deleting' });
    await deleteUpload(this.#database, id);
  }

  async find(tenant: string, id: string): Promise<UploadMetadata | null> {
    if (!UUID.test(id)) return null;
    const upload = await this.#uploads().findOneBy(usable({ tenant, id }));
    return upload === null ? null : metadata(upload);
  }

  async lock(tx: Tx, tenant: string, ids: readonly string[]): Promise<FoundUploads> {
    // The same id may be written in capitals.
    const wanted = new Set(ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase()));
    const uploads = await this.#locked(tx, usable({ tenant, id: In([...wanted]) }));
    const found = new Map(uploads.map((upload) => [upload.id, metadata(upload)]));
    return new Map(
      ids.flatMap((id): [string, UploadMetadata][] => {
        const upload = found.get(id.toLowerCase());
        return upload === undefined ? [] : [[id, upload]];
      }),
    );
  }

  async hold(tx: Tx, ids: readonly string[]): Promise<void> {
    await this.#uploads(tx).increment({ id: In(ids) }, 'uses', 1);
  }

  async prolong(tx: Tx, id: string, moreMs: number): Promise<string> {
    const until = fromNow(this.#keepMs + moreMs);
    await this.#uploads(tx).update({ id }, { expiresAt: () => `greatest(expires_at, ${until})` });
    const upload = await this.#uploads(tx).findOneBy({ id });
    if (upload === null) throw new Error('Only an upload that is locked can be prolonged');
    return upload.expiresAt.toISOString();
  }

  async release(tx: Tx, ids: readonly string[]): Promise<void> {
    await this.#locked(tx, { id: In(ids) });
    await this.#uploads(tx).decrement({ id: In(ids) }, 'uses', 1);
  }

  /** The content of a complete upload, read piece by piece. */
  async *chunks(id: string): AsyncGenerator<Uint8Array> {
    for (let position = 0; ; position += 1) {
      const chunk = await this.#database.repository(UploadChunkEntity).findOneBy({ uploadId: id, position });
      if (chunk === null) return;
      yield chunk.content;
    }
  }

  #uploads(tx?: Tx) {
    return this.#database.repository(UploadEntity, tx);
  }

  /** Locked in the order of their ids: two that lock the same uploads in different orders deadlock. */
  async #locked(tx: Tx, where: FindOptionsWhere<UploadEntity> | FindOptionsWhere<UploadEntity>[]) {
    return this.#uploads(tx).find({ where, order: { id: 'ASC' }, lock: { mode: 'for_no_key_update' } });
  }
}

/** Complete, and held by a command or not expired. */
function usable(where: FindOptionsWhere<UploadEntity>): FindOptionsWhere<UploadEntity>[] {
  const complete = { ...where, state: 'complete' as const };
  return [
    { ...complete, uses: MoreThan(0) },
    { ...complete, expiresAt: Raw((expiresAt) => `${expiresAt} > clock_timestamp()`) },
  ];
}

/** By the database's clock. */
function fromNow(ms: number): string {
  return `clock_timestamp() + ${ms} * interval '1 millisecond'`;
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

function metadata({ id, mediaType, size, sha256, expiresAt }: UploadEntity): UploadMetadata {
  if (sha256 === null) throw new Error('Only a complete upload has metadata');
  return { uploadId: id, sha256, size: Number(size), mediaType, expiresAt: expiresAt.toISOString() };
}
