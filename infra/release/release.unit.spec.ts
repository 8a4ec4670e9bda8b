import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const RELEASE = join(import.meta.dirname, 'release.main.ts');
const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n* A drone.\n\n## [0.1.0] - 2026-01-01\n\n* All.\n';
const FILES = {
  'CHANGELOG.md': CHANGELOG,
  'package.json': '{\n  "name": "gondola",\n  "version": "0.1.0",\n  "keywords": ["a", "b"]\n}\n',
  'apps/one/package.json': '{ "name": "one", "version": "0.1.0" }\n',
  'package-lock.json': `${JSON.stringify(
    {
      name: 'gondola',
      version: '0.1.0',
      packages: {
        '': { version: '0.1.0' },
        'apps/one': { version: '0.1.0' },
        'node_modules/same': { version: '0.1.0' },
        'node_modules/one': { link: true },
      },
    },
    null,
    2,
  )}\n`,
  'infra/helm/gondola/Chart.yaml': 'apiVersion: v2\nversion: 0.1.0\nappVersion: 0.1.0\n',
  'infra/last-release.json': '{ "revision": "v0.1.0" }\n',
  'docs/contract/asyncapi.yaml': 'asyncapi: 3.0.0\ninfo:\n  version: 0.1.0\n',
  'docs/contract/schemas/Ship.v1.schema.json': '{}\n',
  'src/other.ts': "export const version = '0.1.0';\n",
};

describe('npm run release', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'gondola-release-'));
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Ana');
    git('config', 'user.email', 'ana@example.com');
    for (const [path, text] of Object.entries(FILES)) write(path, text);
    commit();
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('writes the version where it stands, commits and tags, and says so in one sentence', () => {
    const { status, stdout } = release('0.2.0');
    expect([status, stdout.trim().split('\n')]).toEqual([0, [expect.stringContaining('Made 0.2.0')]]);
    expect(git('log', '-1', '--format=%s')).toBe('release: 0.2.0');
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('status', '--porcelain')).toBe('');
    expect(read('package.json')).toBe(FILES['package.json'].replace('0.1.0', '0.2.0'));
    expect(read('apps/one/package.json')).toBe(FILES['apps/one/package.json'].replace('0.1.0', '0.2.0'));
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '0.2.0',
      packages: {
        '': { version: '0.2.0' },
        'apps/one': { version: '0.2.0' },
        'node_modules/same': { version: '0.1.0' },
        'node_modules/one': { link: true },
      },
    });
    expect(read('infra/helm/gondola/Chart.yaml')).toBe('apiVersion: v2\nversion: 0.2.0\nappVersion: 0.2.0\n');
    expect(read('infra/last-release.json')).toBe('{ "revision": "v0.2.0" }\n');
    expect(read('docs/contract/asyncapi.yaml')).toBe('asyncapi: 3.0.0\ninfo:\n  version: 0.2.0\n');
    expect(JSON.parse(read('docs/contract/released.json'))).toEqual({ 'Ship.v1': {} });
    expect(read('src/other.ts')).toBe(FILES['src/other.ts']);
  });

  it('moves what is unreleased under the version and its date', () => {
    release('0.2.0');
    expect(read('CHANGELOG.md').replace(/\d{4}-\d\d-\d\d/, 'DATE')).toBe(
      CHANGELOG.replace('## [Unreleased]', '## [Unreleased]\n\n## [0.2.0] - DATE'),
    );
  });

  it('lists what it would change, and changes nothing, with --dry-run', () => {
    const { status, stdout } = release('0.2.0', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('CHANGELOG.md\n');
    expect([git('log', '-1', '--format=%s'), git('tag'), git('status', '--porcelain')]).toEqual(['all', '', '']);
  });

  it.each<[string, string[], string, () => void]>([
    ['a tree with changes', ['0.2.0'], 'The tree has changes: commit them first.', () => write('new.txt', 'x')],
    ['another branch than main', ['0.2.0'], 'A release is made on main.', () => git('switch', '-qc', 'mine')],
    ['a tag that exists', ['0.2.0'], 'The tag v0.2.0 exists.', () => git('tag', 'v0.2.0')],
    ['no version', [], 'Name one version: npm run release -- 0.2.0 [--dry-run].', () => {}],
    ['what is no version', ['two'], '"two" is no version: write three numbers, such as 0.2.0.', () => {}],
    ['the same version', ['0.1.0'], '0.1.0 is not newer than 0.1.0, the version in package.json.', () => {}],
    ['an older version', ['0.0.9'], '0.0.9 is not newer than 0.1.0, the version in package.json.', () => {}],
    [
      'a changelog with nothing new',
      ['0.10.0'],
      'CHANGELOG.md has nothing under "## [Unreleased]": write what is new first.',
      () => {
        write('CHANGELOG.md', CHANGELOG.replace('* A drone.\n', ''));
        commit();
      },
    ],
  ])('refuses %s in one sentence, with exit code 1', (_what, args, sentence, before) => {
    before();
    const log = git('log', '-1', '--format=%H');
    const { status, stderr } = release(...args);
    expect([status, stderr]).toEqual([1, `${sentence}\n`]);
    expect(git('log', '-1', '--format=%H')).toBe(log);
  });

  function release(...args: string[]) {
    return spawnSync(process.execPath, [RELEASE, ...args], { cwd: root, encoding: 'utf8' });
  }

  function git(...args: string[]): string {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  function commit(): void {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'all');
  }

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }

  function read(path: string): string {
    return readFileSync(join(root, path), 'utf8');
  }
});
