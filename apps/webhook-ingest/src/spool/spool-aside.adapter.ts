import { mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { encodeRecords } from './spool-codec.adapter.ts';
import { renameIfThere, SPOOL_NAME, syncFolder, writeDurably } from './spool-file.adapter.ts';

const FOLDER = 'aside';
/** Suffix of a file that the disk could not read. */
const UNREAD = '.unread';

/**
 * Spool content that a person must check: content that cannot be imported is never dropped. Processes that share a
 * disk share it. Tested in spool.adapter.int.spec.ts.
 */
export class SpoolAside {
  readonly #folder: string;
  #files = 0;

  constructor(spoolFolder: string) {
    this.#folder = join(spoolFolder, FOLDER);
  }

  /** Number of files set aside. */
  get files(): number {
    return this.#files;
  }

  /**
   * Moves files into `folder` under their old names: a tenant that was unknown may be known by now, and a disk that
   * could not read a file may read it.
   */
  async restore(folder: string): Promise<void> {
    await this.refresh();
    for (const name of await readdir(this.#folder)) {
      const old = name.endsWith(UNREAD) ? name.slice(0, -UNREAD.length) : name;
      if (SPOOL_NAME.test(old)) await renameIfThere(join(this.#folder, name), join(folder, old));
    }
    await syncFolder(folder);
    await this.refresh();
  }

  /** Sees what other processes have set aside; makes the folder, which a person may have deleted. */
  async refresh(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#files = (await readdir(this.#folder)).length;
  }

  /** Sets a whole file aside that the disk cannot read. */
  async storeUnread(path: string): Promise<void> {
    await rename(path, join(this.#folder, `${basename(path)}${UNREAD}`));
    await this.#changed();
  }

  /** Sets some records of a file aside, in a file of the same name. */
  async storeRecords(name: string, records: readonly ReceivedBody[]): Promise<void> {
    await writeDurably(join(this.#folder, name), encodeRecords(records));
    await this.#changed();
  }

  /** Sets lines of a file aside that are no record. */
  async storeLines(name: string, lines: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
    await writeDurably(join(this.#folder, `${name}.damaged`), bytes);
    await this.#changed();
  }

  async #changed(): Promise<void> {
    await syncFolder(this.#folder);
    await this.refresh();
  }
}
