/** A release that cannot be made; the message is one sentence for whoever makes it. */
export class ReleaseRefusedError extends Error {
  override readonly name = 'ReleaseRefusedError';
}

export interface Release {
  readonly version: string;
  /** `2026-11-26`. */
  readonly date: string;
}

/** Files of the tree by their paths from its root. */
export type Files = ReadonlyMap<string, string>;

const LAST_RELEASE = 'infra/last-release.json';
const SCHEMAS = 'docs/contract/schemas/';
const RELEASED_SCHEMAS = 'docs/contract/released.json';

/**
 * Files that a release writes: the changelog's new heading, the version of every workspace, of the chart (its
 * `appVersion` is the tag of the images) and of the contract; and what later versions are compared with: the schemas of
 * the contract, and the revision.
 */
export function releaseFiles(files: Files, release: Release): Map<string, string> {
  const { version } = release;
  checkVersion(version, versionOf(files));
  const written = new Map<string, string>([
    ['CHANGELOG.md', releasedChangelog(textOf(files, 'CHANGELOG.md'), release)],
    [LAST_RELEASE, `{ "revision": "v${version}" }\n`],
    [RELEASED_SCHEMAS, releasedSchemas(files)],
    ['package-lock.json', lockOf(textOf(files, 'package-lock.json'), version)],
  ]);
  for (const [path, text] of files) {
    if (/(^|\/)package\.json$/.test(path))
      written.set(path, text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
    if (/(^|\/)Chart\.yaml$/.test(path))
      written.set(path, text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
    if (path === 'docs/contract/asyncapi.yaml')
      written.set(path, text.replace(/^ {2}version: .*$/m, `  version: ${version}`));
  }
  return written;
}

/** Files that a release reads. */
export function isOfRelease(path: string): boolean {
  const names = ['CHANGELOG.md', 'package-lock.json', 'docs/contract/asyncapi.yaml'];
  return names.includes(path) || path.startsWith(SCHEMAS) || /(^|\/)(package\.json|Chart\.yaml)$/.test(path);
}

/** All schemas by their names, one in a line. */
function releasedSchemas(files: Files): string {
  const lines = [...files]
    .filter(([path]) => path.startsWith(SCHEMAS))
    .map(
      ([path, text]) => `"${path.slice(SCHEMAS.length, -'.schema.json'.length)}": ${JSON.stringify(JSON.parse(text))}`,
    );
  return `{\n${lines.join(',\n')}\n}\n`;
}

function releasedChangelog(text: string, { version, date }: Release): string {
  const [before, after] = text.split('\n## [Unreleased]\n') as [string, string | undefined];
  if (after === undefined) throw new ReleaseRefusedError('CHANGELOG.md has no heading "## [Unreleased]".');
  const [unreleased = ''] = after.split('\n## [');
  if (!/^\* /m.test(unreleased)) {
    throw new ReleaseRefusedError('CHANGELOG.md has nothing under "## [Unreleased]": write what is new first.');
  }
  return `${before}\n## [Unreleased]\n\n## [${version}] - ${date}\n${after}`;
}

function checkVersion(version: string, last: string): void {
  const [wanted, before] = [version, last].map((each) => /^(\d+)\.(\d+)\.(\d+)$/.exec(each)?.slice(1).map(Number));
  if (wanted === undefined || before === undefined) {
    throw new ReleaseRefusedError(`"${version}" is no version: write three numbers, such as 0.2.0.`);
  }
  const differs = wanted.findIndex((number, index) => number !== before[index]);
  if (differs === -1 || wanted[differs]! < before[differs]!) {
    throw new ReleaseRefusedError(`${version} is not newer than ${last}, the version in package.json.`);
  }
}

function versionOf(files: Files): string {
  return (JSON.parse(textOf(files, 'package.json')) as { version: string }).version;
}

/** The lock file with the version of the root and of each workspace; packages that are installed keep theirs. */
function lockOf(text: string, version: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!path.includes('node_modules') && entry.version !== undefined) entry.version = version;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function textOf(files: Files, path: string): string {
  const text = files.get(path);
  if (text === undefined) throw new ReleaseRefusedError(`${path} is missing.`);
  return text;
}
