import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from './file-lock.ts';
import { LocalStackError } from './local-stack-error.ts';
import { writePrivately } from './private-files.ts';
import { identify, isRunning, type ProcessIdentity } from './process-table.ts';
import { killTree, untilEnded } from './process-tree.ts';

interface RunRecord {
  owner: ProcessIdentity;
  server?: ProcessIdentity;
}

const FILE = 'run.json';
const LOCK = 'claim';
const LOCK_LIMIT_MS = 60_000;

/**
 * Makes this process the owner of a server's folder. Servers that a dead owner left running are ended first; if the
 * owner is alive, throws `FOLDER_IN_USE`. A pid counts only together with its start, since another process may have
 * got it.
 */
export async function claimFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // If several processes find a dead owner at the same time, one becomes the owner.
  await withFileLock(join(folder, LOCK), LOCK_LIMIT_MS, async () => {
    const found = await readRecord(folder);
    if (found && isRunning(found.owner)) {
      throw new LocalStackError('FOLDER_IN_USE', `${folder} is in use by process ${found.owner.pid}; end that first`);
    }
    if (found?.server && isRunning(found.server)) await untilEnded(killTree(found.server.pid));
    await writeRecord(folder, { owner: identify(process.pid) });
  });
}

/** Records which server runs in a claimed folder. */
export async function recordServer(folder: string, pid: number): Promise<void> {
  await writeRecord(folder, { owner: identify(process.pid), server: identify(pid) });
}

/** Releases a claimed folder; a folder that this process does not own stays unchanged. */
export async function releaseFolder(folder: string): Promise<void> {
  const found = await readRecord(folder);
  if (found && isRunning(found.owner) && found.owner.pid !== process.pid) return;
  await rm(join(folder, FILE), { force: true });
}

async function writeRecord(folder: string, record: RunRecord): Promise<void> {
  await writePrivately(join(folder, FILE), JSON.stringify(record));
}

async function readRecord(folder: string): Promise<RunRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as RunRecord;
  } catch {
    // No record, or an incomplete one: the folder has no owner.
    return undefined;
  }
}
