import { readFile, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { DataFolder } from './data-folder.adapter.ts';
import { JOURNAL, PART, SNAPSHOT, SNAPSHOT_PART } from './folder-entries.ts';
import { openPrivate, syncFolder } from './private-file.adapter.ts';

/** A row as of a unit of work; null if it was deleted. */
export type Entry = readonly [table: string, key: string | number, row: unknown];

export interface JournalOptions {
  readonly folder: string;
  /** That of this sandbox. */
  readonly version: string;
  readonly maxBytes: number;
  readonly load: (entry: Entry) => void;
  /** All rows as they are; read while others are changed. */
  readonly rows: () => Iterable<Entry>;
}

const ROWS_PER_LINE = 200;
const LINE_BREAK = 10;
const CHECKSUM_LENGTH = 9;

/**
 * The files of the state: `snapshot.<n>`, all rows, and `journal.<n>` and later ones, the units of work since that
 * snapshot was begun, one line each with its checksum. Units that wait for the disk share one synchronisation. A
 * journal that has grown is followed by the next one while a snapshot is written beside the work; a snapshot may hold
 * rows that are newer than its beginning, because the journal repeats them.
 */
export class Journal {
  private waiting: Buffer[] = [];
  private writing: Promise<void> | undefined;
  private compacting: Promise<void> | undefined;
  private isClosed = false;
  /** Numbers of lines: appended, and stored for good. */
  private appended = 0;
  private durable = 0;
  private waiters: { readonly upTo: number; readonly stored: PromiseWithResolvers<void> }[] = [];
  private failed: Error | null = null;

  private constructor(
    private readonly options: JournalOptions,
    private readonly folder: DataFolder,
    private file: FileHandle,
    private generation: number,
    private bytes: number,
    private snapshotBytes: number,
  ) {}

  /** Throws if the folder cannot be opened (`DataFolder.open`), or if a file is damaged. */
  static async open(options: JournalOptions): Promise<Journal> {
    const folder = await DataFolder.open(options.folder, options.version);
    try {
      return await Journal.read(options, folder);
    } catch (error) {
      await folder.release();
      throw error;
    }
  }

  private static async read(options: JournalOptions, opened: DataFolder): Promise<Journal> {
    const { load } = options;
    const { path: folder } = opened;
    const names = await readdir(folder);
    for (const name of names) if (SNAPSHOT_PART.test(name)) await rm(join(folder, name));
    const base = Math.max(0, ...numbersOf(names, SNAPSHOT));
    let snapshotBytes = 0;
    if (base > 0) snapshotBytes = await read(join(folder, `snapshot.${base}`), load, 'whole');
    const journals = numbersOf(names, JOURNAL).filter((number) => number >= base);
    const newest = journals.at(-1) ?? base;
    let bytes = 0;
    for (const number of journals) {
      bytes = await read(join(folder, `journal.${number}`), load, number === newest ? 'may be torn' : 'whole');
    }
    const file = await openPrivate(join(folder, `journal.${newest}`), 'append');
    await file.truncate(bytes);
    await syncFolder(folder);
    return new Journal(options, opened, file, newest, bytes, snapshotBytes);
  }

  get failure(): Error | null {
    return this.failed;
  }

  append(entries: readonly Entry[]): void {
    if (this.failed !== null) return;
    this.waiting.push(lineOf(entries));
    this.appended += 1;
    this.writing ??= this.write().finally(() => (this.writing = undefined));
  }

  async synced(): Promise<void> {
    if (this.failed !== null) throw this.failed;
    if (this.durable >= this.appended) return;
    const stored = Promise.withResolvers<void>();
    this.waiters.push({ upTo: this.appended, stored });
    await stored.promise;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.writing;
    await this.compacting;
    await this.file.close();
    await this.folder.release();
  }

  /** Writes all lines that have gathered, again and again; after a failure nothing is written any more. */
  private async write(): Promise<void> {
    // Others that are ready now share the synchronisation.
    await turn();
    while (this.waiting.length > 0 && this.failed === null) {
      const count = this.waiting.length;
      const lines = Buffer.concat(this.waiting);
      this.waiting = [];
      try {
        await this.file.appendFile(lines);
        await this.file.datasync();
        this.bytes += lines.length;
        this.durable += count;
        this.release();
        if (this.bytes > Math.max(this.options.maxBytes, this.snapshotBytes)) await this.beginNext();
      } catch (error) {
        this.failed = new Error('The journal cannot be written', { cause: error });
        for (const { stored } of this.waiters.splice(0)) stored.reject(this.failed);
      }
    }
  }

  private release(): void {
    const released = this.waiters.filter(({ upTo }) => upTo <= this.durable);
    this.waiters = this.waiters.filter(({ upTo }) => upTo > this.durable);
    for (const { stored } of released) stored.resolve();
  }

  private async beginNext(): Promise<void> {
    if (this.compacting !== undefined || this.isClosed) return;
    const before = this.file;
    const { path: folder } = this.folder;
    this.generation += 1;
    this.file = await openPrivate(join(folder, `journal.${this.generation}`), 'append');
    this.bytes = 0;
    await before.close();
    await syncFolder(folder);
    this.compacting = this.compact(this.generation).finally(() => (this.compacting = undefined));
    this.compacting.catch((error: unknown) => {
      this.failed ??= new Error('The snapshot cannot be written', { cause: error });
    });
  }

  private async compact(generation: number): Promise<void> {
    const { rows } = this.options;
    const { path: folder } = this.folder;
    const path = join(folder, `snapshot.${generation}`);
    const file = await openPrivate(`${path}${PART}`, 'replace');
    let bytes = 0;
    let gathered: Entry[] = [];
    const flush = async (): Promise<void> => {
      const line = lineOf(gathered);
      gathered = [];
      bytes += line.length;
      await file.appendFile(line);
      await turn();
    };
    for (const entry of rows()) {
      gathered.push(entry);
      if (gathered.length === ROWS_PER_LINE) await flush();
    }
    await flush();
    await file.datasync();
    await file.close();
    // Its rows may be newer than its beginning: they count once the journal has them too.
    await this.synced();
    await rename(`${path}${PART}`, path);
    await syncFolder(folder);
    this.snapshotBytes = bytes;
    const names = await readdir(folder);
    for (const number of numbersOf(names, JOURNAL)) {
      if (number < generation) await rm(join(folder, `journal.${number}`));
    }
    for (const number of numbersOf(names, SNAPSHOT)) {
      if (number < generation) await rm(join(folder, `snapshot.${number}`));
    }
  }
}

/** Entries of a data folder, in the order in which they were written, without opening it for writing. */
export async function entriesIn(folder: string): Promise<Entry[]> {
  const names = await readdir(folder);
  const base = Math.max(0, ...numbersOf(names, SNAPSHOT));
  const files = [
    ...(base > 0 ? [`snapshot.${base}`] : []),
    ...numbersOf(names, JOURNAL).flatMap((number) => (number >= base ? [`journal.${number}`] : [])),
  ];
  const entries: Entry[] = [];
  for (const name of files) await read(join(folder, name), (entry) => entries.push(entry), 'may be torn');
  return entries;
}

function lineOf(entries: readonly Entry[]): Buffer {
  const text = Buffer.from(JSON.stringify(entries), 'utf8');
  return Buffer.concat([Buffer.from(`${checksum(text)} `), text, Buffer.from('\n')]);
}

function checksum(text: Buffer): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Reads a file line by line; returns the bytes up to the end of the last whole line. */
async function read(path: string, load: (entry: Entry) => void, end: 'whole' | 'may be torn'): Promise<number> {
  const content = await readFile(path);
  let begin = 0;
  let whole = 0;
  let isDamaged = false;
  while (begin < content.length) {
    const lineEnd = content.indexOf(LINE_BREAK, begin);
    const line = content.subarray(begin, lineEnd === -1 ? content.length : lineEnd);
    const text = line.subarray(CHECKSUM_LENGTH);
    const isValid = lineEnd !== -1 && line.toString('latin1', 0, CHECKSUM_LENGTH - 1) === checksum(text);
    if (isValid && isDamaged) throw new Error(`${path} is damaged before its end`);
    if (isValid) {
      for (const entry of JSON.parse(text.toString('utf8')) as Entry[]) load(entry);
      whole = lineEnd + 1;
    } else {
      isDamaged = true;
      if (end === 'whole') throw new Error(`${path} is damaged`);
    }
    begin = lineEnd === -1 ? content.length : lineEnd + 1;
  }
  return whole;
}

/** The numbers of files with such names, rising. */
function numbersOf(names: readonly string[], pattern: RegExp): number[] {
  return names
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}
