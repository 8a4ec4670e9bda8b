import { chmod, chown, mkdir } from 'node:fs/promises';
import { postgresUser } from './postgres-user.ts';

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
