import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { codeOf } from '@gondola/service-kit/logging/safe-error';
import { renameIfThere, syncFolder } from './spool-file.adapter.ts';

/**
 * Name of a process' folder: its pid, its start time as the kernel shows it (empty if that cannot be read), a random
 * text and its host. A pid alone may be another process by now: in containers every app has the same pid.
 */
const OF_A_PROCESS = /^(\d+)\.(\d*)\.[0-9a-f]{8}\.(.+)$/;
/** Name of the folder of a process that stopped and left files. */
const RELEASED = /^released\.[0-9a-f]{8}$/;
const HEARTBEAT_MS = 5_000;
/**
 * A process on another machine, where it is not visible, counts as gone when it has not touched its folder for this
 * time.
 */
const SILENT_MS = 30_000;
/** Names of the folders of this process. */
const ours = new Set<string>();

/**
 * The folder of this process within the spool's. A process that finds the folder of one that is gone moves it into
 * its own by one `rename`, which succeeds for one process only. If the other was frozen and not gone, it sees
 * that its folder is not there any more; what it wrote before it last saw it, the new holder finds.
 */
export class SpoolFolder {
  /** Different in each folder. */
  readonly token = randomBytes(4).toString('hex');
  readonly path: string;
  readonly #parent: string;
  readonly #name = `${process.pid}.${startOf(process.pid) ?? ''}.${this.token}.${hostname()}`;
  readonly #logger: Logger;
  /** Names of folders that cannot be moved; the next start tries them again. */
  readonly #refused = new Set<string>();
  #heartbeat: NodeJS.Timeout | undefined;

  private constructor(parent: string, logger: Logger) {
    this.#parent = parent;
    this.#logger = logger;
    this.path = join(parent, this.#name);
  }

  /** Creates the folder, also for the time after a power cut. */
  static async create(parent: string, logger: Logger): Promise<SpoolFolder> {
    const folder = new SpoolFolder(parent, logger);
    ours.add(folder.#name);
    await mkdir(folder.path, { recursive: true, mode: 0o700 });
    await syncFolder(parent);
    folder.#heartbeat = setInterval(() => {
      const now = new Date();
      utimes(folder.path, now, now).catch(() => undefined);
    }, HEARTBEAT_MS).unref();
    return folder;
  }

  /** False once another process has taken the folder, because this one was silent for long, or it was deleted. */
  async isThere(): Promise<boolean> {
    return await stat(this.path).then(
      () => true,
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      },
    );
  }

  /** Moves the files of processes that are gone into this folder. Returns their names. */
  async adopt(): Promise<string[]> {
    const moved: string[] = [];
    for (const name of await readdir(this.#parent)) {
      const path = join(this.#parent, name);
      if (this.#refused.has(name) || !(await isAbandoned(name, path))) continue;
      try {
        if (await renameIfThere(path, join(this.path, name)))
          moved.push(...(await moveFiles(join(this.path, name), this.path)));
      } catch (err) {
        this.#refused.add(name);
        const problem = 'The spool of a process that is gone cannot be taken over; the next start tries it again';
        this.#logger.error({ err, file: name }, problem);
      }
    }
    return moved;
  }

  /** Gives the folder up: what is in it may be taken by any process at once. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await rmdir(this.path).catch(() => renameIfThere(this.path, join(this.#parent, `released.${this.token}`)));
    ours.delete(this.#name);
  }
}

/** Moves all files up, also those of a folder whose adoption broke off. Returns their names. */
async function moveFiles(from: string, to: string): Promise<string[]> {
  const moved: string[] = [];
  for (const name of await readdir(from)) {
    if (OF_A_PROCESS.test(name) || RELEASED.test(name)) moved.push(...(await moveFiles(join(from, name), to)));
    else {
      await rename(join(from, name), join(to, name));
      moved.push(name);
    }
  }
  await syncFolder(to);
  await rmdir(from);
  return moved;
}

async function isAbandoned(name: string, path: string): Promise<boolean> {
  if (RELEASED.test(name)) return true;
  const [, pid = '', start = '', host] = OF_A_PROCESS.exec(name) ?? [];
  if (host === undefined || ours.has(name)) return false;
  if (host !== hostname()) {
    const folder = await stat(path).catch(() => null);
    return folder !== null && Date.now() - folder.mtimeMs >= SILENT_MS;
  }
  // An earlier process with the same pid left it.
  if (Number(pid) === process.pid) return true;
  return start === '' ? !canSignal(Number(pid)) : startOf(Number(pid)) !== start;
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
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
