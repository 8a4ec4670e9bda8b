import { constants, type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@gondola/service-kit/logging/safe-error';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { encodeRecords } from './spool-codec.adapter.ts';

/** Name of a spool file: its number, by which files are imported, and the token of the folder that it began in. */
export const SPOOL_NAME = /^\d{12}-[0-9a-f]{8}\.spool$/;

export function spoolName(number: number, token: string): string {
  return `${String(number).padStart(12, '0')}-${token}.spool`;
}

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

  private constructor(name: string, handle: FileHandle) {
    this.state = { name, bytes: 0, records: 0, oldest: null };
    this.#handle = handle;
  }

  /** Creates a file in `folder` that also survives a power cut; after a failure none is left. */
  static async create(folder: string, name: string): Promise<SpoolFile> {
    const path = join(folder, name);
    const handle = await open(path, NEW_AND_SYNCHRONOUS, 0o600);
    try {
      await syncFolder(folder);
    } catch (error) {
      await handle.close();
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
    return new SpoolFile(name, handle);
  }

  /**
   * Returns when the records, whose encoding is `bytes`, are on the disk. After a failure none of them counts, and
   * the file must be closed.
   */
  async append(records: readonly ReceivedBody[], bytes: Buffer = encodeRecords(records)): Promise<void> {
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

/** False if the file or folder is not there: another process has moved it. */
export async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
