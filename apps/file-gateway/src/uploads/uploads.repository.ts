import { Database, type Tx } from '@gondola/service-kit/database/database';
import { CONFIG } from '@gondola/service-kit/config/injected';
import type { MediaType } from '@gondola/shared/files/media-types';
import { Inject, Injectable } from '@nestjs/common';
import { Equal, type FindOptionsWhere, In, IsNull, MoreThan, Or, Raw } from 'typeorm';
import type { Config } from '../config.ts';
import type { ContentVerdict } from './content-verdict.ts';
import type { FoundUploads } from './held-content.ts';
import { UploadChunkEntity } from './upload-chunk.entity.ts';
import { UploadEntity } from './upload.entity.ts';
import { hasRoom, type UploadBounds } from './upload-room.ts';

export interface UploadMetadata {
  readonly uploadId: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: MediaType;
  /** RFC 3339 in UTC. */
  readonly expiresAt: string;
}

/** An upload that is received. */
export interface NewUpload {
  readonly id: string;
  readonly tenant: string;
  readonly mediaType: MediaType;
  /** In bytes, of its first chunk. */
  readonly size: number;
}

/** Other ids are not looked up. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Longer than any request may last: an upload that is still being received then belongs to a process that ended.
 */
const RECEIVING_MS = 3_600_000;

const UPLOADS_AT_ONCE = 50;
const CHUNKS_AT_ONCE = 32;

/**
 * Skips rows that a command has locked or holds; a hold that is added in between is seen, because `uses` is in the
 * row.
 */
const MARK_EXPIRED = `
  UPDATE uploads SET state = 'deleting' WHERE id IN (
    SELECT id FROM uploads WHERE state <> 'deleting' AND uses = 0 AND expires_at < clock_timestamp()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )`;

export const OLDEST_UPLOAD = `
  SELECT expires_at AS due FROM uploads WHERE uses = 0 ORDER BY expires_at LIMIT 1`;

const LOCK_ROOM = `SELECT pg_advisory_xact_lock(hashtextextended(current_schema || '.uploads ' || $1, 0))`;
/** Read from the index alone. */
const TAKEN_ROOM = `
  SELECT COALESCE(sum(size), 0)::float8 AS bytes FROM uploads WHERE tenant = $1 AND state <> 'deleting'`;

const DELETE_CHUNKS = `
  DELETE FROM upload_chunks USING (
    SELECT position FROM upload_chunks WHERE upload_id = $1 ORDER BY position LIMIT $2
  ) AS first WHERE upload_id = $1 AND upload_chunks.position = first.position
    AND EXISTS (SELECT 1 FROM uploads WHERE id = $1 AND state = 'deleting')`;

/**
 * The tables `uploads` and `upload_chunks`. New content is begun, filled chunk by chunk, and visible only once it
 * is complete; each call without `tx` is its own statement.
 */
@Injectable()
export class UploadsRepository {
  readonly #keepMs: number;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { uploads }: { readonly uploads: Pick<Config['uploads'], 'keepMs'> },
  ) {
    this.#keepMs = uploads.keepMs;
  }

  /** Begins an upload that takes `size` bytes at first. False, and nothing is begun, if `bounds` has no room. */
  async begin({ size, ...upload }: NewUpload, bounds: UploadBounds): Promise<boolean> {
    return this.#takeRoom(upload.tenant, size, bounds, async (tx) => {
      await this.#uploads(tx).insert({ ...upload, size: String(size), expiresAt: () => fromNow(RECEIVING_MS) });
    });
  }

  /** Takes `moreBytes` for an upload that is being received. False, and nothing is taken, if `bounds` has no room. */
  async grow(
    { id, tenant }: Pick<NewUpload, 'id' | 'tenant'>,
    moreBytes: number,
    bounds: UploadBounds,
  ): Promise<boolean> {
    return this.#takeRoom(tenant, moreBytes, bounds, async (tx) => {
      await this.#uploads(tx).increment({ id, state: 'receiving' }, 'size', moreBytes);
    });
  }

  async addChunk(id: string, position: number, content: Buffer): Promise<void> {
    await this.database.repository(UploadChunkEntity).insert({ uploadId: id, position, content });
  }

  /** Null if the upload was discarded meanwhile. */
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

  /** Deletes the stored chunks of an incomplete upload. */
  async discard(id: string): Promise<void> {
    await this.#uploads().update({ id, state: 'receiving' }, { state: 'deleting' });
    await this.#delete(id);
  }

  /** A complete upload of the tenant that has not expired. */
  async find(tenant: string, id: string): Promise<UploadMetadata | null> {
    if (!UUID.test(id)) return null;
    const upload = await this.#uploads().findOneBy(usable({ tenant, id }));
    return upload === null ? null : metadata(upload);
  }

  /** The tenant's upload with this content that expires last, except one judged broken; null without one. */
  async findContent(tenant: string, sha256: string): Promise<UploadMetadata | null> {
    const where = usable({ tenant, sha256, isWhole: Or(IsNull(), Equal(true)) });
    const upload = await this.#uploads().findOne({ where, order: { expiresAt: 'DESC' } });
    return upload === null ? null : metadata(upload);
  }

  /** The existing uploads by the requested ids; none of them is deleted before `tx` ends. */
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

  /** Holds locked uploads for a command, even past their expiry, until they are released. Each id counts once. */
  async hold(tx: Tx, ids: readonly string[]): Promise<void> {
    await this.#uploads(tx).increment({ id: In(ids) }, 'uses', 1);
  }

  /**
   * Extends a locked upload's expiry to that of a new one plus `moreMs`; never shortens it. Returns the expiry in
   * RFC 3339.
   */
  async prolong(tx: Tx, id: string, moreMs: number): Promise<string> {
    const until = fromNow(this.#keepMs + moreMs);
    await this.#uploads(tx).update({ id }, { expiresAt: () => `greatest(expires_at, ${until})` });
    const upload = await this.#uploads(tx).findOneBy({ id });
    if (upload === null) throw new Error('Only an upload that is locked can be prolonged');
    return upload.expiresAt.toISOString();
  }

  /** Releases uploads that a command held; they may be deleted once they have expired. */
  async release(tx: Tx, ids: readonly string[]): Promise<void> {
    await this.#locked(tx, { id: In(ids) });
    await this.#uploads(tx).decrement({ id: In(ids) }, 'uses', 1);
  }

  /**
   * Discards complete uploads of the tenant that no command holds: they are no longer found, and the next clean-up
   * deletes their bytes. Returns their number.
   */
  async end(tx: Tx, tenant: string, ids: readonly string[]): Promise<number> {
    const wanted = ids.filter((id) => UUID.test(id)).map((id) => id.toLowerCase());
    const found = await this.#locked(tx, { tenant, id: In(wanted), state: 'complete', uses: 0 });
    await this.#uploads(tx).update({ id: In(found.map(({ id }) => id)) }, { state: 'deleting' });
    return found.length;
  }

  /** Verdict about an upload; null if it was not decoded yet or does not exist. */
  async verdict(id: string): Promise<ContentVerdict | null> {
    if (!UUID.test(id)) return null;
    const { isWhole = null, flaw = null } = (await this.#uploads().findOneBy({ id })) ?? {};
    if (isWhole === null) return null;
    return isWhole ? (flaw ?? 'whole') : 'broken';
  }

  async saveVerdict(id: string, verdict: ContentVerdict): Promise<void> {
    const flaw = verdict === 'broken' || verdict === 'whole' ? null : verdict;
    await this.#uploads().update({ id }, { isWhole: verdict !== 'broken', flaw });
  }

  /** The content of a complete upload, chunk by chunk. */
  async *chunks(id: string): AsyncGenerator<Uint8Array> {
    for (let position = 0; ; position += 1) {
      const chunk = await this.database.repository(UploadChunkEntity).findOneBy({ uploadId: id, position });
      if (chunk === null) return;
      yield chunk.content;
    }
  }

  /**
   * Deletes expired uploads, unfinished ones, and those that another process began to delete, in small batches, so
   * that no statement takes long and no lock is held.
   */
  async deleteExpired(): Promise<void> {
    for (;;) {
      await this.database.query(MARK_EXPIRED, [UPLOADS_AT_ONCE]);
      const { rows } = await this.database.query<{ id: string }>(
        `SELECT id FROM uploads WHERE state = 'deleting' ORDER BY expires_at LIMIT $1`,
        [UPLOADS_AT_ONCE],
      );
      for (const { id } of rows) await this.#delete(id);
      if (rows.length < UPLOADS_AT_ONCE) return;
    }
  }

  /** Deletes an upload in state `deleting`, in short statements. */
  async #delete(id: string): Promise<void> {
    for (let deleted = CHUNKS_AT_ONCE; deleted === CHUNKS_AT_ONCE;) {
      const { rowCount } = await this.database.query(DELETE_CHUNKS, [id, CHUNKS_AT_ONCE]);
      deleted = rowCount ?? 0;
    }
    await this.database.query(`DELETE FROM uploads WHERE id = $1 AND state = 'deleting'`, [id]);
  }

  /** Uploads of one tenant take room one after the other, so that simultaneous ones stay within it together. */
  async #takeRoom(
    tenant: string,
    moreBytes: number,
    bounds: UploadBounds,
    save: (tx: Tx) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await tx.query(LOCK_ROOM, [tenant]);
      const { rows } = await tx.query<{ bytes: number }>(TAKEN_ROOM, [tenant]);
      const isFree = hasRoom({ takenBytes: rows[0]!.bytes, moreBytes }, bounds);
      if (isFree) await save(tx);
      return isFree;
    });
  }

  #uploads(tx?: Tx) {
    return this.database.repository(UploadEntity, tx);
  }

  /**
   * Locks in the order of the ids: two transactions that lock the same uploads in different orders would deadlock.
   */
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

/** Time from now on, by the database's clock. */
function fromNow(ms: number): string {
  return `clock_timestamp() + ${ms} * interval '1 millisecond'`;
}

function metadata({ id, mediaType, size, sha256, expiresAt }: UploadEntity): UploadMetadata {
  if (sha256 === null) throw new Error('Only a complete upload has metadata');
  return { uploadId: id, sha256, size: Number(size), mediaType, expiresAt: expiresAt.toISOString() };
}
