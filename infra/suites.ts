import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a suite imports `sized`: from the package or, in local-stack itself, by its path. */
const IMPORTS_SIZED = /^import .* from '[^']*testing\/sized(\.ts)?';/m;

/**
 * A workspace's suites, relative to its folder: all of them, or those that `npm run test:long` runs with larger sizes.
 * The others would only run a second time.
 */
export function suitesIn(folder: string, { long }: { long: boolean }): string[] {
  const suites = globSync('**/*.spec.ts', {
    cwd: folder,
    exclude: (path) => path === 'node_modules' || path === 'dist',
  });
  return long ? suites.filter((suite) => IMPORTS_SIZED.test(readFileSync(join(folder, suite), 'utf8'))) : suites;
}
