// npm run release -- VERSION [--dry-run]: writes the version where it stands, commits it and tags it, on a clean main.
// It pushes nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type Files, isOfRelease, releaseFiles, ReleaseRefusedError } from './release-files.ts';

try {
  process.stdout.write(`${release(process.argv.slice(2))}\n`);
} catch (error) {
  if (!(error instanceof ReleaseRefusedError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

/** Makes the release and says so in one sentence. */
function release(args: readonly string[]): string {
  const { version, isDry } = argumentsOf(args);
  const tag = `v${version}`;
  if (git('status', '--porcelain') !== '') throw new ReleaseRefusedError('The tree has changes: commit them first.');
  if (git('branch', '--show-current') !== 'main') throw new ReleaseRefusedError('A release is made on main.');
  if (git('tag', '--list', tag) !== '') throw new ReleaseRefusedError(`The tag ${tag} exists.`);
  const before = trackedFiles();
  const written = releaseFiles(before, { version, date: new Date().toISOString().slice(0, 10) });
  const changed = [...written].filter(([path, text]) => before.get(path) !== text);
  if (isDry) return [...changed.map(([path]) => path), `${tag} would change these ${changed.length} files.`].join('\n');
  for (const [path, text] of changed) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  git('add', '--', ...changed.map(([path]) => path));
  git('commit', '--quiet', '--message', `release: ${version}`);
  git('tag', '--annotate', tag, '--message', `Gondola ${version}`);
  return `Made ${version}: ${changed.length} files, the commit "release: ${version}" and the tag ${tag}; git push --follow-tags publishes it.`;
}

function argumentsOf(args: readonly string[]): { version: string; isDry: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [version] = positionals;
    if (version !== undefined && positionals.length === 1) return { version, isDry: values['dry-run'] };
  } catch {
    // An unknown option is answered as a missing version is.
  }
  throw new ReleaseRefusedError('Name one version: npm run release -- 0.2.0 [--dry-run].');
}

function trackedFiles(): Files {
  const paths = git('ls-files').split('\n').filter(isOfRelease);
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
