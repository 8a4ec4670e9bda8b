import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@gondola/service-kit/logging/logger';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { SpoolAside } from './spool-aside.adapter.ts';
import { decodeSpoolFile, encodeRecords, type SpoolContent } from './spool-codec.adapter.ts';
import { SPOOL_NAME, SpoolFile, type SpoolFileState, spoolName, writeDurably } from './spool-file.adapter.ts';
import { SpoolFolder } from './spool-folder.adapter.ts';

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
  /** Folder of the spools of all processes that share the disk. */
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

const FILE_BYTES = 16 * 1_048_576;
const ALERT_SHARE = 0.5;
const PROBE_BYTES = 65_536;

/**
 * Appends notifications that PostgreSQL does not take in time to files, in the order of arrival; they are on the
 * disk when `append` returns. Each process has a folder of its own and takes over those of processes that are gone.
 * Files are numbered, and the lowest is imported and removed next. Content that cannot be imported is stored in
 * `aside/`. A process that was frozen for so long that another host took its folder is told so before it answers
 * for a record that nobody would import. Tested in spool.adapter.int.spec.ts.
 */
export class Spool {
  readonly aside: SpoolAside;
  readonly #options: SpoolOptions;
  #folder: SpoolFolder | undefined;
  /** In order of their numbers. */
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
    return this.#folder !== undefined;
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

  /** Creates the folder of this process and takes over what others left. Throws the system's error. */
  async open(): Promise<void> {
    if (this.isOpen) return;
    const folder = await SpoolFolder.create(this.#options.folder, this.#options.logger);
    try {
      await this.aside.restore(folder.path);
      await folder.adopt();
      await this.#find(folder, await readdir(folder.path));
    } catch (error) {
      await folder.release();
      throw error;
    }
    this.#folder = folder;
  }

  /** Takes over what processes left that are gone meanwhile. */
  async adopt(): Promise<void> {
    if (this.#folder === undefined) return;
    await this.#find(this.#folder, await this.#folder.adopt());
    await this.aside.refresh();
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

  async read(file: SpoolFileState): Promise<SpoolContent> {
    return await readInto(file, this.#path(file.name));
  }

  /**
   * Removes a file after all its records are committed or set aside. Throws `SpoolUnavailableError` if another process
   * has the folder by now.
   */
  async remove(file: SpoolFileState): Promise<void> {
    if (await this.isTaken()) throw new SpoolUnavailableError('SPOOL_TAKEN');
    await rm(this.#path(file.name), { force: true });
    this.#forget(file);
  }

  /** Sets a file aside that cannot be read. If that fails too, the file stays where it is, for the next start. */
  async setUnreadAside(file: SpoolFileState): Promise<void> {
    this.#forget(file);
    await this.aside.storeUnread(this.#path(file.name));
  }

  /**
   * True if another process has taken the folder, or somebody deleted it; the spool is closed then. A folder that
   * the disk cannot show stops no import.
   */
  async isTaken(): Promise<boolean> {
    return this.#isTaken().catch(() => false);
  }

  /** Checks whether a disk that refused a write accepts one again. */
  async probe(): Promise<void> {
    if (!this.isOpen || !this.#hasFailed || (await this.isTaken())) return;
    const path = this.#path('probe');
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
    await this.#folder?.release();
    this.#folder = undefined;
    this.#files = [];
  }

  async #append(records: readonly ReceivedBody[]): Promise<void> {
    const folder = this.#openFolder();
    const bytes = encodeRecords(records);
    this.#logIfHigh(bytes.length);
    if (this.#bytes() + bytes.length > this.#options.maxBytes) throw new SpoolUnavailableError('SPOOL_FULL');
    let isTaken: boolean;
    try {
      const file = await this.#fileFor(folder, bytes.length);
      await file.append(records, bytes);
      // Not before the write: the next holder reads what was written while the folder was there, and nothing later.
      isTaken = await this.#isTaken();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.logger.error({ err: error }, 'The spool cannot be written');
      this.#hasFailed = true;
      await this.#dropActive(folder);
      throw new SpoolUnavailableError('SPOOL_FAILED', error);
    }
    if (isTaken) throw new SpoolUnavailableError('SPOOL_TAKEN');
  }

  /** Includes those of the names that are spool files. */
  async #find(folder: SpoolFolder, names: readonly string[]): Promise<void> {
    const files = names.filter((name) => SPOOL_NAME.test(name));
    const found = await Promise.all(files.map((name) => leftOver(folder.path, name)));
    this.#files = [...this.#files, ...found].toSorted((one, other) => (one.name < other.name ? -1 : 1));
    this.#nextNumber = Math.max(this.#nextNumber, ...files.map((name) => Number.parseInt(name, 10) + 1));
    void this.#count(folder, found);
  }

  async #isTaken(): Promise<boolean> {
    const folder = this.#folder;
    if (folder === undefined || (await folder.isThere())) return false;
    if (this.#folder !== folder) return true;
    this.#options.logger.error(
      'Another process has taken the folder of the spool, or it was deleted; this process stores nothing in it any more',
    );
    this.#folder = undefined;
    this.#files = [];
    await this.#endActive();
    await folder.release();
    return true;
  }

  /** Ends the file of a failed write, and leaves nothing behind if it has no record. */
  async #dropActive(folder: SpoolFolder): Promise<void> {
    const file = this.#active?.state;
    await this.#endActive().catch(() => undefined);
    if (file === undefined || file.records > 0) return;
    await rm(join(folder.path, file.name), { force: true }).catch(() => undefined);
    this.#forget(file);
  }

  async #fileFor(folder: SpoolFolder, bytes: number): Promise<SpoolFile> {
    const { fileBytes = FILE_BYTES } = this.#options;
    if (this.#active !== undefined && this.#active.state.bytes + bytes > fileBytes) await this.#endActive();
    if (this.#active === undefined) {
      const name = spoolName(this.#nextNumber, folder.token);
      this.#nextNumber += 1;
      this.#active = await SpoolFile.create(folder.path, name);
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
  async #count(folder: SpoolFolder, files: readonly SpoolFileState[]): Promise<void> {
    for (const file of files) await readInto(file, join(folder.path, file.name)).catch(() => undefined);
  }

  /** Throws `SpoolUnavailableError` if the spool is closed. */
  #openFolder(): SpoolFolder {
    if (this.#folder === undefined) throw new SpoolUnavailableError('SPOOL_CLOSED');
    return this.#folder;
  }

  #path(name: string): string {
    return join(this.#openFolder().path, name);
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

async function readInto(file: SpoolFileState, path: string): Promise<SpoolContent> {
  const content = decodeSpoolFile(await readFile(path));
  file.records = content.records.length;
  file.oldest = content.records[0]?.receivedAt ?? null;
  return content;
}

async function leftOver(folder: string, name: string): Promise<SpoolFileState> {
  // A file that cannot be read is found by its import.
  const bytes = await stat(join(folder, name)).then(
    ({ size }) => size,
    () => 0,
  );
  return { name, bytes, records: 0, oldest: null };
}
