import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

// The lock is taken by linking its next generation, `lock.<n>`; the highest one holds. A process looks whether the
// highest is held by a living one, links n + 1, and looks again whether that is the highest now. Only generations below
// an existing one are removed, and a release leaves its own behind, marked: so the highest number never falls, none is
// used twice, and a process that was slow between looking and linking finds its number taken or surpassed. (Removing a
// dead one's lock and then linking anew would remove a living one's.) The local stack locks by the same protocol
// (`file-lock.ts`), in a home of its own, since production code imports nothing from there.

/** Another process, or another app in this one, has the folder. It may end, so that trying again makes sense. */
class SpoolInUseError extends Error {
  readonly code = 'SPOOL_IN_USE';
  readonly retriable = true;
  constructor(pid: number) {
    super(`The spool's folder belongs to a running process (pid ${pid}); each replica needs one of its own`);
    this.name = 'SpoolInUseError';
  }
}

/**
 * Whose the lock is: a pid alone could be another process by now, in a container for example, where every app has the
 * same one.
 */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When the process started, in the kernel's words; null where they cannot be had. */
  readonly start: string | null;
}

export interface SpoolLock {
  release(): Promise<void>;
}

const NAME = 'lock';
const GENERATION = /^lock\.(\d{1,15})$/;
const HEARTBEAT_MS = 5_000;
/**
 * A holder on another machine, whose processes cannot be looked at, is gone when its lock has not been touched for so
 * long.
 */
const SILENT_MS = 30_000;
/** Of nobody: a generation that was given up. */
const RELEASED = { released: true };
/** Folders locked by this process. */
const ours = new Set<string>();

/**
 * Takes the folder for this process, until `release` or its end. The lock of a process that is no more is taken over,
 * by one other. Throws
 * `SpoolInUseError`. Tested in spool-lock.int.spec.ts.
 */
export async function lockSpool(folder: string): Promise<SpoolLock> {
  if (ours.has(folder)) throw new SpoolInUseError(process.pid);
  ours.add(folder);
  let path: string;
  try {
    path = await take(folder);
  } catch (error) {
    ours.delete(folder);
    throw error;
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      await rename(await drafted(folder, RELEASED), path);
      ours.delete(folder);
    },
  };
}

/** The file that holds the lock from now on. */
async function take(folder: string): Promise<string> {
  const newest = (await generationsIn(folder)).at(-1);
  if (newest !== undefined) await refuseIfHeld(pathOf(folder, newest));
  const mine = (newest ?? 0) + 1;
  const path = pathOf(folder, mine);
  await linkMine(folder, path);
  const generations = await generationsIn(folder);
  const last = generations.at(-1);
  if (last !== mine) {
    await rm(path, { force: true });
    throw new SpoolInUseError(await pidIn(pathOf(folder, last ?? mine)));
  }
  await Promise.all(generations.slice(0, -1).map((older) => rm(pathOf(folder, older), { force: true })));
  return path;
}

/** A link appears with its content or not at all: nobody reads half a lock, and only one process gets a number. */
async function linkMine(folder: string, path: string): Promise<void> {
  const me: Holder = { host: hostname(), pid: process.pid, start: startOf(process.pid) };
  const draft = await drafted(folder, me);
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new SpoolInUseError(await pidIn(path));
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function drafted(folder: string, content: object): Promise<string> {
  const draft = join(folder, `${NAME}-${randomBytes(6).toString('hex')}`);
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
  return draft;
}

/** By rising number. The file without a number is an earlier version's lock. */
async function generationsIn(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).flatMap((entry) => {
    if (entry === NAME) return [0];
    const number = GENERATION.exec(entry)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.toSorted((one, other) => one - other);
}

function pathOf(folder: string, generation: number): string {
  return join(folder, generation === 0 ? NAME : `${NAME}.${generation}`);
}

/** A lock that cannot be read belongs to nobody; one that is gone gave way to a higher one. */
async function refuseIfHeld(path: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new SpoolInUseError(0);
    throw error;
  }
  const holder = holderOf(text);
  if (holder !== null && (await isAlive(holder, path))) throw new SpoolInUseError(holder.pid);
}

async function pidIn(path: string): Promise<number> {
  return holderOf(await readFile(path, 'utf8').catch(() => ''))?.pid ?? 0;
}

function holderOf(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    return typeof holder.pid === 'number' ? (holder as Holder) : null;
  } catch {
    return null;
  }
}

async function isAlive({ host, pid, start }: Holder, file: string): Promise<boolean> {
  if (host !== hostname()) {
    const touched = await stat(file).catch(() => null);
    return touched === null || Date.now() - touched.mtimeMs < SILENT_MS;
  }
  // What this process holds is in `ours`: a lock with its pid is left over from another one that had it.
  if (pid === process.pid) return false;
  return start === null ? canSignal(pid) : startOf(pid) === start;
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The time since the machine's boot at which a process started, as Linux tells it; null where there is no /proc, or no
 * such process.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses, and may hold anything; the 22nd is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
