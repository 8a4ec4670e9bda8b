import { randomBytes } from 'node:crypto';
import { constants, type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { encodeFileHeader, encodeRecords, FILE_HEADER_BYTES, MARKER_BYTES } from './spool-codec.adapter.ts';

/** State of a file. For a file of an earlier process, `records` and `oldest` are known only after it is read. */
export interface SpoolFileState {
  readonly name: string;
  bytes: number;
  records: number;
  oldest: Date | null;
}

/**
 * With O_DSYNC a write returns when its bytes are on the disk, like write and fdatasync together, but a busy event
 * loop delays it once instead of twice.
 */
const NEW_AND_SYNCHRONOUS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

/** A file that one writer appends to. Acknowledged records are on the disk. */
export class SpoolFile {
  readonly state: SpoolFileState;
  readonly #handle: FileHandle;
  readonly #marker: Buffer;

  private constructor(name: string, handle: FileHandle, marker: Buffer) {
    this.state = { name, bytes: FILE_HEADER_BYTES, records: 0, oldest: null };
    this.#handle = handle;
    this.#marker = marker;
  }

  /** Creates a file in `folder` that also survives a power cut; after a failure none is left. */
  static async create(folder: string, name: string): Promise<SpoolFile> {
    const path = join(folder, name);
    const handle = await open(path, NEW_AND_SYNCHRONOUS, 0o600);
    const marker = randomBytes(MARKER_BYTES);
    try {
      await handle.writeFile(encodeFileHeader(marker));
      await handle.sync();
      await syncFolder(folder);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
    return new SpoolFile(name, handle, marker);
  }

  /** Returns when the records are on the disk. After a failure none of them counts, and the file must be closed. */
  async append(records: readonly ReceivedBody[]): Promise<void> {
    const bytes = encodeRecords(this.#marker, records);
    try {
      await this.#handle.writeFile(bytes);
    } catch (error) {
      await this.#handle.truncate(this.state.bytes).catch(() => undefined);
      throw error;
    }
    this.state.bytes += bytes.length;
    this.state.records += records.length;
    this.state.oldest ??= records[0]?.receivedAt ?? null;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Writes the file's bytes to the disk; its name is durable only after `syncFolder`. */
export async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes added and removed names durable, also after a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
