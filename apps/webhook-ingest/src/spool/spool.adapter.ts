import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { SPOOL_NAME, SpoolAside } from './spool-aside.adapter.ts';
import { decodeSpoolFile, recordBytes, type SpoolContent } from './spool-codec.adapter.ts';
import { SpoolFile, type SpoolFileState, writeDurably } from './spool-file.adapter.ts';
import { lockSpool, type SpoolLock } from './spool-lock.adapter.ts';

/** The spool can store nothing now; `cause` is the system's error. */
class SpoolUnavailableError extends Error {
  readonly code: 'SPOOL_CLOSED' | 'SPOOL_FULL' | 'SPOOL_FAILED' | 'SPOOL_TAKEN';
  constructor(code: SpoolUnavailableError['code'], cause?: unknown) {
    super(`The spool cannot store a notification: ${code}`, { cause });
    this.code = code;
    this.name = 'SpoolUnavailableError';
  }
}

export interface SpoolOptions {
  readonly folder: string;
  /** Most disk space of the spool; half of it is logged as an error. */
  readonly maxBytes: number;
  readonly logger: Logger;
  /** Size at which a new file is begun, in bytes. Default 16 MiB. */
  readonly fileBytes?: number;
}

export interface SpoolStats {
  readonly bytes: number;
  readonly records: number;
  /** Receipt time of the oldest record; null without records. */
  readonly oldest: Date | null;
}

/** A file that was read: its bytes and their content; null if it is no spool file of a known version. */
export interface SpoolFileContent {
  readonly bytes: Buffer;
  readonly content: SpoolContent | null;
}

const FILE_BYTES = 16 * 1_048_576;
const ALERT_SHARE = 0.5;
const PROBE_BYTES = 65_536;

/**
 * Appends notifications that PostgreSQL does not take in time to files, in the order of arrival; they are on the
 * disk when `append` returns. One process holds the folder. Files are numbered, and the lowest is imported and
 * removed next. Content that cannot be imported is stored in `aside/`. A process that was frozen for so long that
 * another host took its folder is told so before it answers for a record that nobody would import. Tested in
 * spool.adapter.int.spec.ts.
 */
export class Spool {
  readonly aside: SpoolAside;
  readonly #options: SpoolOptions;
  #lock: SpoolLock | undefined;
  /** In order of their numbers; the file being appended to is the last. */
  #files: SpoolFileState[] = [];
  #active: SpoolFile | undefined;
  #nextNumber = 1;
  #appends = 0;
  #lastAppend: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #isAlerted = false;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.aside = new SpoolAside(options.folder);
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  get isOpen(): boolean {
    return this.#lock !== undefined;
  }

  /** True while nothing waits to be imported and nothing is being appended. */
  get isEmpty(): boolean {
    return this.#files.length === 0 && this.#appends === 0;
  }

  /** True if the next record can probably be stored. */
  get isWritable(): boolean {
    return this.isOpen && !this.#hasFailed && this.#bytes() < this.#options.maxBytes;
  }

  stats(): SpoolStats {
    return {
      bytes: this.#bytes(),
      records: this.#files.reduce((sum, { records }) => sum + records, 0),
      oldest: this.#files.find(({ oldest }) => oldest !== null)?.oldest ?? null,
    };
  }

  /**
   * Locks the folder and finds the files that an earlier process left. Throws `SpoolInUseError` or the system's
   * error.
   */
  async open(): Promise<void> {
    if (this.isOpen) return;
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await lockSpool(folder);
    try {
      await this.aside.restore();
      const names = (await readdir(folder)).filter((name) => SPOOL_NAME.test(name)).toSorted();
      this.#files = await Promise.all(names.map(async (name) => leftOver(folder, name)));
      // No number is used again while something of it is set aside.
      this.#nextNumber = Math.max(0, ...[...names, ...this.aside.names].map(numberOf)) + 1;
    } catch (error) {
      await lock.release();
      throw error;
    }
    this.#lock = lock;
    void this.#count([...this.#files]);
  }

  /** Returns when all records are on the disk, after all earlier ones. Throws `SpoolUnavailableError`. */
  async append(records: readonly ReceivedBody[]): Promise<void> {
    this.#appends += 1;
    const appended = this.#lastAppend.then(() => this.#append(records));
    this.#lastAppend = appended.then(
      () => void (this.#appends -= 1),
      () => void (this.#appends -= 1),
    );
    await appended;
  }

  /** The next file to import; later records go into another file. Undefined if there is none. */
  async next(): Promise<SpoolFileState | undefined> {
    while (this.#appends > 0) await this.#lastAppend;
    const [first] = this.#files;
    if (first !== undefined && this.#active?.state === first) await this.#endActive();
    return first;
  }

  async read(file: SpoolFileState): Promise<SpoolFileContent> {
    const bytes = await readFile(join(this.#options.folder, file.name));
    const content = decodeSpoolFile(bytes);
    file.records = content?.records.length ?? 0;
    file.oldest = content?.records[0]?.receivedAt ?? null;
    return { bytes, content };
  }

  /**
   * Removes a file after all its records are committed or set aside. Throws `SpoolUnavailableError` if another process
   * has the folder by now.
   */
  async remove(file: SpoolFileState): Promise<void> {
    if (await this.isTaken()) throw new SpoolUnavailableError('SPOOL_TAKEN');
    await rm(join(this.#options.folder, file.name), { force: true });
    this.#forget(file);
  }

  /** Sets a file aside that cannot be read. If that fails too, the file stays where it is, for the next start. */
  async setUnreadAside(file: SpoolFileState): Promise<void> {
    this.#forget(file);
    await this.aside.storeUnread(file.name);
  }

  /**
   * True if another process has taken the folder, or somebody deleted it; the spool is closed then. A lock that the
   * disk cannot read stops no import.
   */
  async isTaken(): Promise<boolean> {
    return this.#isTaken().catch(() => false);
  }

  /** Checks whether a disk that refused a write accepts one again. */
  async probe(): Promise<void> {
    if (!this.isOpen || !this.#hasFailed || (await this.isTaken())) return;
    const path = join(this.#options.folder, 'probe');
    try {
      await writeDurably(path, Buffer.alloc(PROBE_BYTES));
    } finally {
      await rm(path, { force: true });
    }
    this.#hasFailed = false;
  }

  async close(): Promise<void> {
    await this.#lastAppend;
    await this.#endActive();
    await this.#lock?.release();
    this.#lock = undefined;
  }

  async #append(records: readonly ReceivedBody[]): Promise<void> {
    if (!this.isOpen) throw new SpoolUnavailableError('SPOOL_CLOSED');
    const bytes = records.reduce((sum, record) => sum + recordBytes(record), 0);
    this.#logIfHigh(bytes);
    if (this.#bytes() + bytes > this.#options.maxBytes) throw new SpoolUnavailableError('SPOOL_FULL');
    try {
      const file = await this.#fileFor(bytes);
      await file.append(records);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.logger.error({ err: error }, 'The spool cannot be written');
      this.#hasFailed = true;
      await this.#dropActive();
      throw new SpoolUnavailableError('SPOOL_FAILED', error);
    }
    // Not before the write: the next holder reads what was written while the lock was held, and nothing later.
    if (await this.#isTaken()) throw new SpoolUnavailableError('SPOOL_TAKEN');
  }

  async #isTaken(): Promise<boolean> {
    const lock = this.#lock;
    if (lock === undefined || (await lock.isHeld())) return false;
    if (this.#lock !== lock) return true;
    this.#options.logger.error(
      'Another process has taken the folder of the spool, or it was deleted; this process stores nothing in it any more',
    );
    this.#lock = undefined;
    this.#files = [];
    await this.#endActive();
    await lock.release();
    return true;
  }

  /** Ends the file of a failed write, and leaves nothing behind if it has no record. */
  async #dropActive(): Promise<void> {
    const file = this.#active?.state;
    await this.#endActive().catch(() => undefined);
    if (file === undefined || file.records > 0) return;
    await rm(join(this.#options.folder, file.name), { force: true }).catch(() => undefined);
    this.#forget(file);
  }

  async #fileFor(bytes: number): Promise<SpoolFile> {
    const { folder, fileBytes = FILE_BYTES } = this.#options;
    if (this.#active !== undefined && this.#active.state.bytes + bytes > fileBytes) await this.#endActive();
    if (this.#active === undefined) {
      const name = `${String(this.#nextNumber).padStart(12, '0')}.spool`;
      this.#nextNumber += 1;
      this.#active = await SpoolFile.create(folder, name);
      this.#files.push(this.#active.state);
    }
    return this.#active;
  }

  async #endActive(): Promise<void> {
    const active = this.#active;
    this.#active = undefined;
    await active?.close();
  }

  #forget(file: SpoolFileState): void {
    this.#files = this.#files.filter((other) => other !== file);
  }

  #bytes(): number {
    return this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Counts the records for the metrics; the start does not wait for it. */
  async #count(files: readonly SpoolFileState[]): Promise<void> {
    for (const file of files) await this.read(file).catch(() => undefined);
  }

  #logIfHigh(more: number): void {
    const { maxBytes, logger } = this.#options;
    const bytes = this.#bytes() + more;
    const isHigh = bytes > maxBytes * ALERT_SHARE;
    if (isHigh && !this.#isAlerted) {
      logger.error(
        { bytes, limit: maxBytes },
        'The spool is half full; once it is full, no delivery can be stored in it',
      );
    }
    this.#isAlerted = isHigh;
  }
}

function numberOf(name: string): number {
  return Number.parseInt(name, 10) || 0;
}

async function leftOver(folder: string, name: string): Promise<SpoolFileState> {
  // A file that cannot be read is found by its import.
  const bytes = await stat(join(folder, name)).then(
    ({ size }) => size,
    () => 0,
  );
  return { name, bytes, records: 0, oldest: null };
}
