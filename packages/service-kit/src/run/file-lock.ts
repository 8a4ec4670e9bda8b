import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

// The local stack imports this file by its path, before anything is built: it imports Node.js alone and needs no
// transformation.
//
//   no file ──link 1──▶ <file>.1 held ──release──▶ <file>.1 empty ──link 2──▶ <file>.2 held
//                                                     <file>.2 of a dead process ──link 3──▶ <file>.3 held
//
// A lock is taken by linking its next generation, `<file>.<n>`; the highest one holds. A process looks whether the
// highest is held by a living process, links n + 1, and looks again whether that is the highest now. Only generations
// below an existing one are removed, and a release leaves its own behind, emptied: so the highest number never falls,
// none is used twice, and a process that was slow between looking and linking finds its number taken or surpassed.
// (Removing a dead one's lock and then linking anew would remove a living one's.)

export interface FileLockOptions {
  /** Identifies this process: stored in the lock as JSON. */
  readonly holder: object;
  /** Whether the process that stored `holder` in the file `path` still has the lock. */
  readonly isAlive: (holder: unknown, path: string) => boolean | Promise<boolean>;
  /** Mode of the lock's file. Default: what the process' umask leaves. */
  readonly mode?: number;
}

export interface FileLock {
  /** The file that holds the lock; its modification time is the holder's to renew. */
  readonly path: string;
  release(): Promise<void>;
}

export type FileLockAttempt =
  | { readonly kind: 'taken'; readonly lock: FileLock }
  /** `by` is what the process that has the lock stored in it; null where that is not known. */
  | { readonly kind: 'held'; readonly by: unknown };

/**
 * Tries once to take the lock `file`, in a folder that exists. A lock whose process is gone is taken over by one
 * process. Content that is not JSON belongs to nobody. Leaves one small file. Throws what the file system says.
 */
export async function tryLock(file: string, options: FileLockOptions): Promise<FileLockAttempt> {
  const newest = (await generationsOf(file)).at(-1);
  if (newest !== undefined) {
    const held = await holderIn(pathOf(file, newest), options.isAlive);
    if (held !== null) return held;
  }
  const mine = (newest ?? 0) + 1;
  const path = pathOf(file, mine);
  if (!(await links(file, path, options))) return { kind: 'held', by: parsed(await textOf(path)) };
  const generations = await generationsOf(file);
  const last = generations.at(-1) ?? mine;
  if (last !== mine) {
    await rm(path, { force: true });
    return { kind: 'held', by: parsed(await textOf(pathOf(file, last))) };
  }
  await Promise.all(generations.slice(0, -1).map((older) => rm(pathOf(file, older), { force: true })));
  return { kind: 'taken', lock: { path, release: () => empty(path) } };
}

/** Null: nobody has the lock. */
async function holderIn(path: string, isAlive: FileLockOptions['isAlive']): Promise<FileLockAttempt | null> {
  const text = await textOf(path);
  // It was removed since, so that there is a higher one.
  if (text === null) return { kind: 'held', by: null };
  const by = parsed(text);
  return by !== null && (await isAlive(by, path)) ? { kind: 'held', by } : null;
}

/** A link appears with its content or not at all: nobody reads half a lock, and only one process gets a number. */
async function links(file: string, path: string, { holder, mode }: FileLockOptions): Promise<boolean> {
  const draft = `${file}.draft-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, JSON.stringify(holder), { mode: mode ?? 0o666 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** One that is gone gave way to a higher one. */
async function empty(path: string): Promise<void> {
  try {
    await truncate(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** By rising number. The file without a number is the lock of a version before this protocol. */
async function generationsOf(file: string): Promise<number[]> {
  const name = basename(file);
  const numbers = (await readdir(dirname(file))).flatMap((entry) => {
    if (entry === name) return [0];
    const number = entry.startsWith(`${name}.`) ? entry.slice(name.length + 1) : '';
    return /^\d{1,15}$/.test(number) ? [Number(number)] : [];
  });
  return numbers.toSorted((one, other) => one - other);
}

function pathOf(file: string, generation: number): string {
  return generation === 0 ? file : join(dirname(file), `${basename(file)}.${generation}`);
}

/** Null: there is no such file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
