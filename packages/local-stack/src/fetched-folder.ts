import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from './file-lock.ts';

/**
 * Inside the clone and ignored by git: it is deleted with the clone, and a second clone copies what it needs from
 * the cache of Maven or npm.
 */
export const FETCHED = join(import.meta.dirname, '../../../.gondola');

export interface FetchedFolderOptions {
  folder: string;
  /** How long to wait for another process that fetches the same. */
  limitMs: number;
  isComplete: () => boolean | Promise<boolean>;
  /** Puts everything into an empty folder beside the final one. */
  fetch: (draft: string) => Promise<void>;
}

/**
 * Ensures that a folder with something from a registry is complete. It is fetched into a folder beside it, which is
 * renamed when complete, so neither an interrupted download nor parallel ones leave an incomplete folder.
 */
export async function ensureFetched({ folder, limitMs, isComplete, fetch }: FetchedFolderOptions): Promise<void> {
  if (await isComplete()) return;
  await mkdir(dirname(folder), { recursive: true });
  await withFileLock(`${folder}.lock`, limitMs, async () => {
    if (await isComplete()) return;
    await removeDrafts(folder);
    const draft = `${folder}.${randomBytes(3).toString('hex')}.draft`;
    await mkdir(draft);
    await fetch(draft);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  });
}

/** Removes the remains of interrupted downloads; called under the lock. */
async function removeDrafts(folder: string): Promise<void> {
  const parent = dirname(folder);
  const drafts = (await readdir(parent)).map((name) => join(parent, name)).filter((path) => isDraft(path, folder));
  await Promise.all(drafts.map((path) => rm(path, { recursive: true, force: true })));
}

function isDraft(path: string, folder: string): boolean {
  return path.startsWith(`${folder}.`) && path.endsWith('.draft');
}
