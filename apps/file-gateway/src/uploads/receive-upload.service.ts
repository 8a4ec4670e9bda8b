import { createHash, type Hash, randomUUID } from 'node:crypto';
import { safeError } from '@gondola/service-kit/logging/safe-error';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { mediaTypeOf, type OtherContent, otherContentOf } from '@gondola/shared/files/media-types';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { FreeSpace } from './free-space.adapter.ts';
import type { UploadBounds } from './upload-room.ts';
import { type NewUpload, type UploadMetadata, UploadsRepository } from './uploads.repository.ts';

/** Outcome of an upload. */
export type ReceivedUpload =
  | { readonly kind: 'stored'; readonly upload: UploadMetadata }
  | { readonly kind: 'too-large' }
  /** The tenant's quota, or its half of the disk, is used up. */
  | { readonly kind: 'quota-full' }
  | { readonly kind: 'not-supported'; readonly found: OtherContent | null }
  /** The clean-up discarded the upload because it took too long. */
  | { readonly kind: 'given-up' };

type OwnedUpload = Pick<NewUpload, 'id' | 'tenant'>;

/** Part of an upload that has arrived. */
interface Progress {
  readonly hash: Hash;
  /** In bytes. */
  size: number;
  /** Number of stored chunks. */
  chunks: number;
  /** Bytes that the upload has taken of its tenant's room; at least those that are stored. */
  room: number;
}

/** Bytes in one row; more than `SNIFFED_BYTES`, so that the first chunk shows the media type. */
const CHUNK_BYTES = 256_000;

/**
 * Stores content chunk by chunk as it arrives, so that memory stays flat whatever its size (rule 31). A refused or
 * aborted upload leaves nothing; the clean-up deletes the chunks of a killed process.
 */
@Injectable()
export class ReceiveUpload {
  readonly #limits: Pick<Config['uploads'], 'maxBytes' | 'quotaBytes'>;

  constructor(
    private readonly uploads: UploadsRepository,
    private readonly space: FreeSpace,
    @Inject(CONFIG) config: { readonly uploads: Pick<Config['uploads'], 'maxBytes' | 'quotaBytes'> },
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#limits = config.uploads;
  }

  /** Rethrows errors of `source` and of the database after deleting the stored chunks. */
  async receive(tenant: string, source: AsyncIterable<Uint8Array>): Promise<ReceivedUpload> {
    const id = randomUUID();
    const progress: Progress = { hash: createHash('sha256'), size: 0, chunks: 0, room: 0 };
    try {
      for await (const chunk of inChunks(source, CHUNK_BYTES)) {
        progress.size += chunk.length;
        const refusal = await this.#admit({ id, tenant }, progress, chunk);
        if (refusal !== null) return await this.#refuse(id, progress.chunks, refusal);
        progress.hash.update(chunk);
        await this.uploads.addChunk(id, progress.chunks, chunk);
        progress.chunks += 1;
      }
      if (progress.chunks === 0) return { kind: 'not-supported', found: null };
      const content = { sha256: progress.hash.digest('hex'), size: progress.size };
      const upload = await this.uploads.complete(id, content);
      return upload === null ? { kind: 'given-up' } : { kind: 'stored', upload };
    } catch (error) {
      await this.#discard(id);
      throw error;
    }
  }

  /** Null if the chunk may be stored. Useless content is refused before any of it is, whatever its size. */
  async #admit(upload: OwnedUpload, progress: Progress, chunk: Buffer): Promise<ReceivedUpload | null> {
    const { maxBytes, quotaBytes } = this.#limits;
    // A content that the quota never has room for must not wait for it.
    if (progress.size > Math.min(maxBytes, quotaBytes)) return { kind: 'too-large' };
    if (progress.chunks > 0) return (await this.#grow(upload, progress)) ? null : { kind: 'quota-full' };
    const mediaType = mediaTypeOf(chunk);
    if (mediaType === null) return { kind: 'not-supported', found: otherContentOf(chunk) };
    progress.room = chunk.length;
    const hasBegun = await this.uploads.begin({ ...upload, mediaType, size: chunk.length }, await this.#bounds());
    return hasBegun ? null : { kind: 'quota-full' };
  }

  /** Takes twice the room that is needed, where there is so much, so that a large content asks only a few times. */
  async #grow(upload: OwnedUpload, progress: Progress): Promise<boolean> {
    if (progress.size <= progress.room) return true;
    const bounds = await this.#bounds();
    for (const room of [Math.min(2 * progress.size, this.#limits.maxBytes), progress.size]) {
      if (!(await this.uploads.grow(upload, room - progress.room, bounds))) continue;
      progress.room = room;
      return true;
    }
    return false;
  }

  async #bounds(): Promise<UploadBounds> {
    return { quotaBytes: this.#limits.quotaBytes, freeBytes: await this.space.bytes() };
  }

  async #refuse(id: string, chunks: number, refusal: ReceivedUpload): Promise<ReceivedUpload> {
    if (chunks > 0) await this.uploads.discard(id);
    return refusal;
  }

  /** If this fails, the clean-up deletes the chunks later; the first error is the relevant one. */
  async #discard(uploadId: string): Promise<void> {
    try {
      await this.uploads.discard(uploadId);
    } catch (error) {
      this.logger.warn(
        { uploadId, err: safeError(error) },
        'Chunks of a broken upload could not be deleted; the clean-up deletes them later',
      );
    }
  }
}

/**
 * Splits the same bytes into chunks of exactly `size` bytes; the last one is shorter. The bytes are copied, so that
 * small pieces cost no more than their bytes.
 */
export async function* inChunks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let chunk: Buffer | null = null;
  let length = 0;
  for await (const piece of source) {
    let rest = piece;
    while (rest.length > 0) {
      chunk ??= Buffer.allocUnsafeSlow(size);
      const part = rest.subarray(0, size - length);
      chunk.set(part, length);
      length += part.length;
      rest = rest.subarray(part.length);
      if (length < size) continue;
      yield chunk;
      chunk = null;
      length = 0;
    }
  }
  if (chunk !== null) yield chunk.subarray(0, length);
}
