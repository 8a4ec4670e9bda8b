import { readFileSync } from 'node:fs';
import { stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type FileLock, tryLock } from '@gondola/service-kit/run/file-lock';

/** Another process, or another app in this one, holds the folder. It may finish, so a retry makes sense. */
class SpoolInUseError extends Error {
  readonly code = 'SPOOL_IN_USE';
  readonly retriable = true;
  constructor(pid: number) {
    super(`The spool's folder belongs to a running process (pid ${pid}); each replica needs one of its own`);
    this.name = 'SpoolInUseError';
  }
}

/** Holder of the lock. A pid alone may be another process by now: in containers every app has the same pid. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Start time of the process as the kernel shows it; null if it cannot be read. */
  readonly start: string | null;
}

export interface SpoolLock {
  /** False once another process has taken the folder, because this one was silent for long. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

const NAME = 'lock';
const FOR_ITS_OWNER = 0o600;
const HEARTBEAT_MS = 5_000;
/**
 * A holder on another machine, whose processes are not visible, counts as gone when it has not touched its lock for
 * this time.
 */
const SILENT_MS = 30_000;
/** Folders locked by this process. */
const ours = new Set<string>();

/**
 * Locks the folder for this process, until `release` or its exit. Exactly one process takes over the lock of a
 * process that is gone. Throws `SpoolInUseError`.
 */
export async function lockSpool(folder: string): Promise<SpoolLock> {
  if (ours.has(folder)) throw new SpoolInUseError(process.pid);
  ours.add(folder);
  const lock = await take(folder).catch((error: unknown) => {
    ours.delete(folder);
    throw error;
  });
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(lock.path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  return {
    isHeld: () => lock.isHeld(),
    release: async () => {
      clearInterval(heartbeat);
      await lock.release();
      ours.delete(folder);
    },
  };
}

async function take(folder: string): Promise<FileLock> {
  const holder: Holder = { host: hostname(), pid: process.pid, start: startOf(process.pid) };
  const attempt = await tryLock(join(folder, NAME), { holder, isAlive, mode: FOR_ITS_OWNER });
  if (attempt.kind === 'held') throw new SpoolInUseError(isHolder(attempt.by) ? attempt.by.pid : 0);
  return attempt.lock;
}

function isHolder(content: unknown): content is Holder {
  return typeof (content as Partial<Holder> | null)?.pid === 'number';
}

/** A lock that names no process has no holder. */
async function isAlive(holder: unknown, path: string): Promise<boolean> {
  if (!isHolder(holder)) return false;
  const { host, pid, start } = holder;
  if (host !== hostname()) {
    const touched = await stat(path).catch(() => null);
    return touched === null || Date.now() - touched.mtimeMs < SILENT_MS;
  }
  // Locks of this process are in `ours`: another lock with its pid was left by an earlier process with the same
  // pid.
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
 * Start time of a process since the machine's boot, as Linux shows it; null without /proc or without such a
 * process.
 */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may hold any text; the 22nd field is the 20th after
    // it.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
