import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A file that can be sent. */
export interface LocalFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

export type FileReading<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unreadable'; readonly path: string; readonly code: string };

/** Size of a file. A folder is no file: `EISDIR`. */
export async function readFileSize(path: string): Promise<FileReading<LocalFile>> {
  return reading(path, async () => {
    const found = await stat(path);
    if (found.isDirectory()) throw Object.assign(new Error('A folder'), { code: 'EISDIR' });
    return { path, size: found.size };
  });
}

/** The named files, in their order; for a folder, its files by name, with numbers compared as numbers. */
export async function readPaths(paths: readonly string[]): Promise<FileReading<readonly string[]>> {
  const files: string[] = [];
  for (const path of paths) {
    const found = await reading(path, async () => ((await stat(path)).isDirectory() ? filesIn(path) : [path]));
    if (found.kind === 'unreadable') return found;
    files.push(...found.value);
  }
  return { kind: 'read', value: files };
}

/** SHA-256 of a file in hexadecimal digits; the file is read in chunks. */
export async function readSha256(path: string): Promise<FileReading<string>> {
  return reading(path, async () => {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  });
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  return names.toSorted(BY_NAME.compare).map((name) => join(folder, name));
}

async function reading<T>(path: string, read: () => Promise<T>): Promise<FileReading<T>> {
  try {
    return { kind: 'read', value: await read() };
  } catch (error) {
    return { kind: 'unreadable', path, code: (error as NodeJS.ErrnoException).code ?? '-' };
  }
}
