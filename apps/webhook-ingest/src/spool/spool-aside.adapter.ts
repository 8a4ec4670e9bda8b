import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { SpoolFile, syncFolder, writeDurably } from './spool-file.adapter.ts';

const FOLDER = 'aside';
/** Name of a spool file: its number, and the suffix. */
export const SPOOL_NAME = /^\d{12}\.spool$/;
/** Suffix of a file that the disk could not read. */
const UNREAD = '.unread';

/**
 * Spool content that a person must check: content that cannot be imported is never dropped. Tested in
 * spool.adapter.int.spec.ts.
 */
export class SpoolAside {
  readonly #spoolFolder: string;
  readonly #folder: string;
  #names: readonly string[] = [];

  constructor(spoolFolder: string) {
    this.#spoolFolder = spoolFolder;
    this.#folder = join(spoolFolder, FOLDER);
  }

  /** Number of files set aside. */
  get files(): number {
    return this.#names.length;
  }

  /** Names of the files set aside, which begin with the names that they had in the spool. */
  get names(): readonly string[] {
    return this.#names;
  }

  /**
   * Moves files back under their old numbers: a tenant that was unknown may be known by now, and a disk that could
   * not read a file may read it.
   */
  async restore(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const there = new Set(await readdir(this.#spoolFolder));
    for (const name of (await readdir(this.#folder)).toSorted()) {
      const old = name.endsWith(UNREAD) ? name.slice(0, -UNREAD.length) : name;
      if (!SPOOL_NAME.test(old) || there.has(old)) continue;
      await rename(join(this.#folder, name), join(this.#spoolFolder, old));
      there.add(old);
    }
    await syncFolder(this.#spoolFolder);
    await this.#changed();
  }

  /** Sets a whole file of an unknown form aside, unchanged. */
  async storeFile(name: string): Promise<void> {
    await this.#storeAs(`${name}.unreadable`, name);
  }

  /** Sets a whole file aside that the disk cannot read. */
  async storeUnread(name: string): Promise<void> {
    await this.#storeAs(`${name}${UNREAD}`, name);
  }

  /** Sets some records of a file aside, in a file of the same name. */
  async storeRecords(name: string, records: readonly ReceivedBody[]): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
    const file = await SpoolFile.create(this.#folder, name);
    try {
      await file.append(records);
    } finally {
      await file.close();
    }
    await this.#changed();
  }

  /** Sets bytes of a file aside that are no record; `at` is their offset. */
  async storeBytes(name: string, at: number, bytes: Buffer): Promise<void> {
    await writeDurably(join(this.#folder, `${name}.${at}.damaged`), bytes);
    await this.#changed();
  }

  async #storeAs(asideName: string, name: string): Promise<void> {
    await rename(join(this.#spoolFolder, name), join(this.#folder, asideName));
    await this.#changed();
  }

  async #changed(): Promise<void> {
    await syncFolder(this.#folder);
    this.#names = await readdir(this.#folder);
  }
}
