import { createHash, randomUUID } from 'node:crypto';
import { safeError } from '@gondola/service-kit/logging/safe-error';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG } from '@gondola/service-kit/run/injected';
import { isNfeXml, mediaTypeOf } from '@gondola/shared/files/media-types';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { type UploadMetadata, UploadsRepository } from './uploads.repository.ts';

/** Outcome of an upload. */
export type ReceivedUpload =
  | { readonly kind: 'stored'; readonly upload: UploadMetadata }
  | { readonly kind: 'too-large' }
  /** What the tenant has stored leaves no room for it. */
  | { readonly kind: 'quota-full' }
  /** `isNfeXml`: what ERPs send in place of the PDF (rule 33). */
  | { readonly kind: 'not-supported'; readonly isNfeXml: boolean }
  /** Given up meanwhile, for having taken too long. */
  | { readonly kind: 'given-up' };

/** Bytes in one row; more than `SNIFFED_BYTES`, so that the first one shows what the content is. */
const CHUNK_BYTES = 256_000;

/**
 * Takes content in as it comes, piece by piece, so that memory stays flat whatever its size (rule 31). What is refused,
 * or breaks off, leaves nothing; what a killed process leaves, the clean-up takes.
 */
@Injectable()
export class ReceiveUpload {
  readonly #limits: Pick<Config['uploads'], 'maxBytes' | 'quotaBytes'>;

  constructor(
    private readonly uploads: UploadsRepository,
    @Inject(CONFIG) config: { readonly uploads: Pick<Config['uploads'], 'maxBytes' | 'quotaBytes'> },
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#limits = config.uploads;
  }

  /** Throws what `source` throws, and what the database does, having taken away what was stored. */
  async receive(tenant: string, source: AsyncIterable<Uint8Array>): Promise<ReceivedUpload> {
    const id = randomUUID();
    const progress = { hash: createHash('sha256'), size: 0, chunks: 0 };
    // Uploads that come at the same time may exceed it together, each by no more than its own limit.
    const room = this.#limits.quotaBytes - (await this.uploads.storedBytes(tenant));
    try {
      for await (const chunk of inChunks(source, CHUNK_BYTES)) {
        progress.size += chunk.length;
        if (progress.size > this.#limits.maxBytes)
          return await this.#refuse(id, progress.chunks, { kind: 'too-large' });
        if (progress.size > room) return await this.#refuse(id, progress.chunks, { kind: 'quota-full' });
        if (progress.chunks === 0) {
          const refusal = await this.#begin(id, tenant, chunk);
          if (refusal !== null) return refusal;
        }
        progress.hash.update(chunk);
        await this.uploads.addChunk(id, progress.chunks, chunk);
        progress.chunks += 1;
      }
      if (progress.chunks === 0) return { kind: 'not-supported', isNfeXml: false };
      const content = { sha256: progress.hash.digest('hex'), size: progress.size };
      const upload = await this.uploads.complete(id, content);
      return upload === null ? { kind: 'given-up' } : { kind: 'stored', upload };
    } catch (error) {
      await this.#discard(id);
      throw error;
    }
  }

  /** Nothing is stored of what is of no use, however much of it is still to come. */
  async #begin(id: string, tenant: string, head: Buffer): Promise<ReceivedUpload | null> {
    const mediaType = mediaTypeOf(head);
    if (mediaType === null) return { kind: 'not-supported', isNfeXml: isNfeXml(head) };
    await this.uploads.begin({ id, tenant, mediaType });
    return null;
  }

  async #refuse(id: string, chunks: number, refusal: ReceivedUpload): Promise<ReceivedUpload> {
    if (chunks > 0) await this.uploads.discard(id);
    return refusal;
  }

  /** The clean-up comes later where this cannot be done now; the first error is the one that says something. */
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
 * The same bytes in pieces of exactly `size` bytes, the last one shorter. They are copied, so that small pieces cost no
 * more than their bytes.
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
