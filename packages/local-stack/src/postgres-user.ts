import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** User for PostgreSQL if this process runs as root, under which PostgreSQL refuses to run. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/**
 * Undefined if this process does not run as root. Else the owner of the data, if they exist; else the machine's
 * `postgres`; else `nobody`, so that no user has to be created.
 */
export function postgresUser(dataFolder?: string): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = dataFolder === undefined ? undefined : ownerOf(dataFolder);
  return owner && owner.uid !== 0 ? owner : (lookUp('postgres') ?? lookUp('nobody') ?? { uid: 65_534, gid: 65_534 });
}

/** Undefined if the path does not exist. */
export function ownerOf(path: string): PostgresUser | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

function lookUp(name: string): PostgresUser | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** True if the user can enter every folder from the root to this one, or to the deepest existing one. */
export function isReachable(path: string, user: PostgresUser): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats) {
    const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
    if (((stats.mode >> shift) & 1) === 0) return false;
  }
  return dirname(path) === path || isReachable(dirname(path), user);
}
