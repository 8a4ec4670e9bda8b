import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;
/** Only this user may read and write. */
export const FILE_MODE = 0o600;

/** Opens for writing a file that only this user can read; creates it if it is missing. Follows no symbolic link. */
export async function openPrivate(path: string, how: 'append' | 'replace'): Promise<FileHandle> {
  return await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | (how === 'append' ? O_APPEND : O_TRUNC), FILE_MODE);
}

/** Creates such a file, empty, unless there is one, which is not opened. */
export async function createPrivate(path: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  });
  await file?.close();
}

/** Replaces the content of such a file; it survives a crash once the folder is synchronised, too. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const file = await openPrivate(path, 'replace');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** So that names of new files survive a crash, too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
