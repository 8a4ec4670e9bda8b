import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
/** Folder of the links to this repository's workspaces. */
const OWN_SCOPE = '@gondola';

/**
 * Commit of the last release, which `infra/last-release.json` names; null, and a printed sentence, in a clone without
 * it. A tag may not have come with a clone: then the commit that `npm run release` made is looked for.
 */
export function lastRelease(): string | null {
  const { revision } = JSON.parse(readFileSync(join(ROOT, 'infra/last-release.json'), 'utf8')) as { revision: string };
  const release = `^release: ${revision.replace(/^v/, '').replaceAll('.', '[.]')}$`;
  const commit =
    git('rev-parse', '--quiet', '--verify', `${revision}^{commit}`) ??
    git('log', '-1', '--format=%H', `--grep=${release}`);
  if (commit !== null && commit !== '') return commit;
  process.stderr.write(`This clone lacks ${revision}, the last release: nothing is compared with it.\n`);
  return null;
}

/** Text of a file at a commit; null if it did not exist. */
export function textAt(commit: string, path: string): string | null {
  return git('show', `${commit}:${path}`);
}

/**
 * Sources of a commit in a folder of their own, ready to be run. Their workspaces find each other; packages from
 * outside are those that are installed here, which may be newer than those of the commit.
 */
export function sourcesOf(commit: string): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gondola-release-'));
  execFileSync('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: ROOT });
  for (const modules of globSync(['node_modules', '{apps,packages}/*/node_modules'], { cwd: ROOT })) {
    linkModules(join(ROOT, modules), join(folder, modules));
  }
  const scope = join(folder, 'node_modules', OWN_SCOPE);
  mkdirSync(scope);
  for (const file of globSync('{apps,packages}/*/package.json', { cwd: folder })) {
    const { name } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { name: string };
    symlinkSync(join(folder, file, '..'), join(scope, name.slice(OWN_SCOPE.length + 1)));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function linkModules(installed: string, links: string): void {
  mkdirSync(links, { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== OWN_SCOPE && !name.startsWith('.')) symlinkSync(join(installed, name), join(links, name));
  }
}

function git(...args: string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    }).trimEnd();
  } catch {
    return null;
  }
}
