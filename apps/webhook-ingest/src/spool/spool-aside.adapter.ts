import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedBody } from '../notifications/incoming.ts';
import { SpoolFile, syncFolder, writeDurably } from './spool-file.adapter.ts';

const FOLDER = 'aside';
/** Numbered and of a form that can be read. */
export const SPOOL_NAME = /^\d{12}\.spool$/;

/**
 * The part of the spool that somebody must look at: nothing is dropped because it cannot be imported. Tested in
 * spool.adapter.int.spec.ts.
 */
export class SpoolAside {
  readonly #spoolFolder: string;
  readonly #folder: string;
  #files = 0;

  constructor(spoolFolder: string) {
    this.#spoolFolder = spoolFolder;
    this.#folder = join(spoolFolder, FOLDER);
  }

  /** How many files there are. */
  get files(): number {
    return this.#files;
  }

  /** Moves back what can be read, under the number that it had: a tenant that was unknown may be known by now. */
  async takeBack(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const there = new Set(await readdir(this.#spoolFolder));
    const names = (await readdir(this.#folder)).filter((name) => SPOOL_NAME.test(name) && !there.has(name));
    for (const name of names) await rename(join(this.#folder, name), join(this.#spoolFolder, name));
    await syncFolder(this.#spoolFolder);
    await this.#changed();
  }

  /** A whole file, as it is. */
  async keepFile(name: string): Promise<void> {
    await rename(join(this.#spoolFolder, name), join(this.#folder, `${name}.unreadable`));
    await this.#changed();
  }

  /** Some records of a file, as a file of its name. */
  async keepRecords(name: string, records: readonly ReceivedBody[]): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
    const file = await SpoolFile.create(this.#folder, name);
    try {
      await file.append(records);
    } finally {
      await file.close();
    }
    await this.#changed();
  }

  /** Bytes of a file that are no record; `at` is where they stood. */
  async keepBytes(name: string, at: number, bytes: Buffer): Promise<void> {
    await writeDurably(join(this.#folder, `${name}.${at}.damaged`), bytes);
    await this.#changed();
  }

  async #changed(): Promise<void> {
    await syncFolder(this.#folder);
    this.#files = (await readdir(this.#folder)).length;
  }
}
