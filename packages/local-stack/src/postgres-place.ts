import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LocalStackError } from './local-stack-error.ts';
import { isReachable, ownerOf, type PostgresUser, postgresUser } from './postgres-user.ts';

/** The system's temporary folder, or, when PostgreSQL's user cannot reach it, another one. */
export function temporaryRoot(user: PostgresUser | undefined = postgresUser()): string {
  const roots = [tmpdir(), '/tmp', '/var/tmp'];
  const root = roots.find((path) => !user || isReachable(path, user));
  if (root === undefined) {
    const message = `PostgreSQL, which must not run as root, can reach none of ${roots.join(', ')}`;
    throw new LocalStackError('FOLDER_UNREACHABLE', message);
  }
  return root;
}

/**
 * Where data meant for `dataDir` really are: when we are root and PostgreSQL's user cannot reach it, in a folder of the
 * temporary folder.
 */
export function postgresDataDir(dataDir: string): string {
  const wanted = resolve(dataDir);
  const user = postgresUser(join(wanted, 'data'));
  if (!user || isReachable(wanted, user)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const substitute = join(temporaryRoot(user), `gondola-postgres-${name}`);
  if ((ownerOf(substitute)?.uid ?? 0) !== 0) {
    const message = `PostgreSQL's user cannot reach ${wanted}, and ${substitute} belongs to somebody else: remove that`;
    throw new LocalStackError('FOLDER_UNREACHABLE', message);
  }
  return substitute;
}
