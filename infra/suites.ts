import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Import of `sized`: from the package or, in local-stack itself, by its path. */
const IMPORTS_SIZED = /^import .* from '[^']*testing\/sized(\.ts)?';/m;

/** Name of suites that start, freeze and kill their own servers, or take minutes for another reason. */
const LONG_ONLY = /\.long\.spec\.ts$/;

/**
 * A workspace's suites, relative to its folder: those of `npm test`, or those of `npm run test:long`, which are the
 * long ones and those with larger sizes. The others would only run a second time.
 */
export function suitesIn(folder: string, { long }: { long: boolean }): string[] {
  const suites = globSync('**/*.spec.ts', {
    cwd: folder,
    exclude: (path) => path === 'node_modules' || path === 'dist',
  });
  const hasSizes = (suite: string) => IMPORTS_SIZED.test(readFileSync(join(folder, suite), 'utf8'));
  return suites.filter((suite) => (LONG_ONLY.test(suite) ? long : !long || hasSizes(suite)));
}
