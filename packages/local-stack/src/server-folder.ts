import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetScratch, keepScratch } from './process-keeper.ts';
import { claimFolder, releaseFolder } from './run-record.ts';

export interface ServerFolder {
  path: string;
  /** Gives the folder up, and removes it if it is a temporary one. */
  release(): Promise<void>;
}

/** A folder that stays, or a new one below a temporary root. */
export type FolderChoice = { path: string } | { temporaryRoot: string };

/** Claims a server's folder and hands it to `use`; when `use` fails, it is given up again. */
export async function inServerFolder<T>(
  kind: 'kafka' | 'postgres',
  choice: FolderChoice,
  use: (folder: ServerFolder) => Promise<T>,
): Promise<T> {
  const folder =
    'path' in choice ? await lastingFolder(choice.path) : await temporaryFolder(kind, choice.temporaryRoot);
  try {
    return await use(folder);
  } catch (error) {
    await folder.release();
    throw error;
  }
}

async function lastingFolder(path: string): Promise<ServerFolder> {
  await claimFolder(path);
  return { path, release: () => releaseFolder(path) };
}

async function temporaryFolder(kind: string, temporaryRoot: string): Promise<ServerFolder> {
  const path = await mkdtemp(join(temporaryRoot, `gondola-${kind}-`));
  keepScratch(path);
  // The server may run as another user than we: it may pass through, and see no names.
  await chmod(path, 0o711);
  await claimFolder(path);
  const release = async () => {
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
    forgetScratch(path);
  };
  return { path, release };
}
