import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

// The local stack imports this file by its path, before anything is built. So it imports only Node.js, and runs
// without transformation.
//
//   no file ──link 1──▶ <file>.1 held ──release──▶ <file>.1 empty ──link 2──▶ <file>.2 held
//                                                     <file>.2 of a dead process ──link 3──▶ <file>.3 held
//
// A process takes a lock by linking its next generation, `<file>.<n>`; the highest generation is the lock. The
// process checks that the holder of the highest is dead, links n + 1, and checks again that n + 1 is now the
// highest. Only generations below an existing one are removed, and a release leaves its own file behind, emptied.
// So the highest number never falls and no number is used twice: a process that was slow between check and link
// finds its number taken or surpassed. (Removing the lock of a dead process and linking it again could remove the
// lock of a living one.)

export interface FileLockOptions {
  /** Identifies this process; stored in the lock as JSON. */
  readonly holder: object;
  /** True if the process that stored `holder` still has the lock. */
  readonly isAlive: (holder: unknown) => boolean | Promise<boolean>;
}

export interface FileLock {
  readonly path: string;
  /** Has no effect if the lock is no longer held, because this process was taken for dead. */
  release(): Promise<void>;
}

export type FileLockAttempt =
  | { readonly kind: 'taken'; readonly lock: FileLock }
  /** `by` is the content that the holder stored in the lock; null if it is not known. */
  | { readonly kind: 'held'; readonly by: unknown };

/**
 * Tries once to take the lock `file`, in an existing folder. If the holder is dead, one process takes over the
 * lock. A lock whose content is not JSON has no holder. Leaves one small file. Throws errors of the file system.
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
  const isHeld = async () => (await textOf(path)) === contentOf(options);
  const release = async () => void ((await isHeld()) && (await empty(path)));
  return { kind: 'taken', lock: { path, release } };
}

/** Null if no process has the lock. */
async function holderIn(path: string, isAlive: FileLockOptions['isAlive']): Promise<FileLockAttempt | null> {
  const text = await textOf(path);
  // The file was removed in the meantime, so a higher generation exists.
  if (text === null) return { kind: 'held', by: null };
  const by = parsed(text);
  return by !== null && (await isAlive(by)) ? { kind: 'held', by } : null;
}

/**
 * A link appears with its complete content or not at all: no process reads half a lock, and only one process gets a
 * number.
 */
async function links(file: string, path: string, options: FileLockOptions): Promise<boolean> {
  const draft = `${file}.draft-${randomBytes(6).toString('hex')}`;
  await writeFile(draft, contentOf(options));
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

function contentOf({ holder }: FileLockOptions): string {
  return JSON.stringify(holder);
}

/** A file that no longer exists was replaced by a higher generation. */
async function empty(path: string): Promise<void> {
  try {
    await truncate(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Generations in rising order. The file without a number is the lock of a version before this protocol. */
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

/** Null if the file does not exist. */
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
