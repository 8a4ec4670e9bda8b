import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whom PostgreSQL runs as when we are root, which it refuses to be. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/**
 * Undefined when we are not root. Else: who owns the data, if there are data; else the machine's `postgres`; else
 * `nobody`, so that no user needs to be created on anybody's machine.
 */
export function postgresUser(dataFolder?: string): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = dataFolder === undefined ? undefined : ownerOf(dataFolder);
  return owner && owner.uid !== 0 ? owner : (lookUp('postgres') ?? lookUp('nobody') ?? { uid: 65_534, gid: 65_534 });
}

/** Undefined when there is nothing at the path. */
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

/**
 * Whether the user may pass through every folder from the root down to this one, or to the deepest that exists of it.
 */
export function isReachable(path: string, user: PostgresUser): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats) {
    const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
    if (((stats.mode >> shift) & 1) === 0) return false;
  }
  return dirname(path) === path || isReachable(dirname(path), user);
}
