import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forgetScratch, keepScratch } from './process-keeper.ts';
import { claimFolder, releaseFolder } from './run-record.ts';

export interface ServerFolder {
  path: string;
  /** Gives the folder up, and removes it if it is a temporary one. */
  release(): Promise<void>;
}

export interface FolderChoice {
  kind: 'kafka' | 'postgres';
  /** A folder that stays. Without it: a temporary one. */
  dataDir: string | undefined;
  /** Where temporary folders go. */
  temporaryRoot?: string;
}

/** Claims a server's folder and hands it to `use`; when `use` fails, it is given up again. */
export async function inServerFolder<T>(choice: FolderChoice, use: (folder: ServerFolder) => Promise<T>): Promise<T> {
  const folder = choice.dataDir === undefined ? await temporaryFolder(choice) : await lastingFolder(choice.dataDir);
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

async function temporaryFolder({ kind, temporaryRoot = tmpdir() }: FolderChoice): Promise<ServerFolder> {
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
