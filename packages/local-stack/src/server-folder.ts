import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from './private-files.ts';
import { forgetScratch, registerScratch } from './process-supervisor.ts';
import { claimFolder, releaseFolder } from './run-record.ts';
import { postgresUser } from './postgres-user.ts';

export interface ServerFolder {
  path: string;
  /** Releases the folder, and removes it if it is temporary. */
  release(): Promise<void>;
}

/** A permanent folder, or a new one below a temporary root. */
export type FolderChoice = { path: string } | { temporaryRoot: string };

type ServerKind = 'kafka' | 'postgres';

/** Claims a server's folder, restricts access to it, and passes it to `use`; releases it if `use` fails. */
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
  registerScratch(path);
  await closeToOthers(kind, path);
  await claimFolder(path);
  const release = async () => {
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
    forgetScratch(path);
  };
  return { path, release };
}

/** Data and log of a server contain personal data of customers. */
async function closeToOthers(kind: ServerKind, path: string): Promise<void> {
  await (kind === 'kafka' ? privateFolder(path) : privateFolderAbovePostgres(path, join(path, 'data')));
}

/**
 * Like `privateFolder`. If this process runs as root, the user of PostgreSQL, which refuses to run as root, may
 * also enter the folder (but not list it), through the folder's group. `dataFolder`: PostgreSQL's data, whose owner
 * is that user if they exist.
 */
export async function privateFolderAbovePostgres(path: string, dataFolder: string): Promise<void> {
  await privateFolder(path);
  const user = postgresUser(dataFolder);
  if (user === undefined) return;
  await chown(path, 0, user.gid);
  await chmod(path, 0o710);
}
