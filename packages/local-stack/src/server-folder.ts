import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { forgetScratch, keepScratch } from './process-keeper.ts';
import { claimFolder, releaseFolder } from './run-record.ts';
import { postgresUser } from './postgres-user.ts';

export interface ServerFolder {
  path: string;
  /** Gives the folder up, and removes it if it is a temporary one. */
  release(): Promise<void>;
}

/** A folder that stays, or a new one below a temporary root. */
export type FolderChoice = { path: string } | { temporaryRoot: string };

type ServerKind = 'kafka' | 'postgres';

/**
 * Claims a server's folder, closes it to other users, and hands it to `use`; when `use` fails, it is given up again.
 */
export async function inServerFolder<T>(
  kind: ServerKind,
  choice: FolderChoice,
  use: (folder: ServerFolder) => Promise<T>,
): Promise<T> {
  const folder =
    'path' in choice ? await lastingFolder(kind, choice.path) : await temporaryFolder(kind, choice.temporaryRoot);
  try {
    return await use(folder);
  } catch (error) {
    await folder.release();
    throw error;
  }
}

async function lastingFolder(kind: ServerKind, path: string): Promise<ServerFolder> {
  await closeToOthers(kind, path);
  await claimFolder(path);
  return { path, release: () => releaseFolder(path) };
}

async function temporaryFolder(kind: ServerKind, temporaryRoot: string): Promise<ServerFolder> {
  const path = await mkdtemp(join(temporaryRoot, `gondola-${kind}-`));
  keepScratch(path);
  await closeToOthers(kind, path);
  await claimFolder(path);
  const release = async () => {
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
    forgetScratch(path);
  };
  return { path, release };
}

/** Its data, and a server's log, hold what customers wrote. */
async function closeToOthers(kind: ServerKind, path: string): Promise<void> {
  await (kind === 'kafka' ? privateFolder(path) : privateFolderAbovePostgres(path, join(path, 'data')));
}

/** A folder whose content only this user reaches: made if it is missing, closed to others if it was open. */
export async function privateFolder(path: string): Promise<void> {
  // Without a mode, which folders above would be given too.
  await mkdir(path, { recursive: true });
  await chmod(path, 0o700);
}

/**
 * As `privateFolder`; but when we are root, the user of PostgreSQL, which refuses to run as root, may pass through it
 * (and list nothing), by the folder's group. `dataFolder`: PostgreSQL's data, whose owner that user is if there are
 * data.
 */
export async function privateFolderAbovePostgres(path: string, dataFolder: string): Promise<void> {
  await privateFolder(path);
  const user = postgresUser(dataFolder);
  if (user === undefined) return;
  await chown(path, 0, user.gid);
  await chmod(path, 0o710);
}
