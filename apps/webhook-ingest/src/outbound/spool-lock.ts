import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Another process, or another app in this one, has the folder. It may end, so that trying again makes sense. */
class SpoolInUseError extends Error {
  readonly code = 'SPOOL_IN_USE';
  readonly retriable = true;
  constructor(pid: number) {
    super(`The spool's folder belongs to a running process (pid ${pid}); each replica needs one of its own`);
    this.name = 'SpoolInUseError';
  }
}

/** Whose the lock is: a pid alone could be another process by now, in a container for example, where every app has the same one. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** When the process started, in the kernel's words; null where they cannot be had. */
  readonly start: string | null;
}

export interface SpoolLock {
  release(): Promise<void>;
}

const FILE = 'lock';
const HEARTBEAT_MS = 5_000;
/** A holder on another machine, whose processes cannot be looked at, is gone when its lock has not been touched for so long. */
const SILENT_MS = 30_000;
/** Folders locked by this process. */
const ours = new Set<string>();

/**
 * Takes the folder for this process, until `release` or its end. The lock of a process that is no more is taken over. Throws
 * `SpoolInUseError`. Tested in spool-lock.int.spec.ts.
 */
export async function lockSpool(folder: string): Promise<SpoolLock> {
  const file = join(folder, FILE);
  if (ours.has(file)) throw new SpoolInUseError(process.pid);
  ours.add(file);
  try {
    await take(file);
  } catch (error) {
    ours.delete(file);
    throw error;
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      await rm(file, { force: true });
      ours.delete(file);
    },
  };
}

/** A link appears with its content or not at all: nobody reads half a lock, and only one gets it. */
async function take(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const me: Holder = { host: hostname(), pid: process.pid, start: startOf(process.pid) };
  await writeFile(draft, JSON.stringify(me));
  try {
    if (await links(draft, file)) return;
    const holder = await holderOf(file);
    if (holder !== null && (await isAlive(holder, file))) throw new SpoolInUseError(holder.pid);
    await rm(file, { force: true });
    if (!(await links(draft, file))) throw new SpoolInUseError((await holderOf(file))?.pid ?? 0);
  } finally {
    await rm(draft, { force: true });
  }
}

async function links(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function holderOf(file: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

async function isAlive({ host, pid, start }: Holder, file: string): Promise<boolean> {
  if (host !== hostname()) {
    const { mtimeMs } = await stat(file);
    return Date.now() - mtimeMs < SILENT_MS;
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

/** The time since the machine's boot at which a process started, as Linux tells it; null where there is no /proc, or no such process. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses, and may hold anything; the 22nd is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
