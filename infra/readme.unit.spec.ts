import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

// Each claim of the README names the test or file that proves it, so that name must exist.

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** `folder` of the document, to which its links are relative. */
function pathsIn(text: string, folder: string): string[] {
  const named = Array.from(text.matchAll(/`((?:apps|packages|demo|infra|docs)\/[\w./-]+)`/g), ([, path = '']) => path);
  const linked = Array.from(text.matchAll(/\]\(([\w./-]+)\)/g), ([, path = '']) => join(folder, path));
  return [...named, ...linked];
}

describe.each([
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/running.md',
  'docs/how-it-runs.md',
  'docs/runbook.md',
  'docs/retention.md',
  'docs/backup.md',
  'docs/sizing.md',
])('%s', (document) => {
  it('names files and folders that exist', () => {
    const paths = pathsIn(read(document), dirname(document));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const known = new Set([...Object.keys(scripts), 'ci', 'audit', 'stack']);
    const named = Array.from(read(document).matchAll(/npm (?:run )?([a-z]+(?::[a-z]+)*)/g), ([, name = '']) => name);
    expect(named.filter((name) => name !== 'scripts' && !known.has(name))).toEqual([]);
  });
});

describe('an ADR', () => {
  it.each(readdirSync(join(root, 'docs/adr')))('%s names files and folders that exist', (name) => {
    expect(pathsIn(read(`docs/adr/${name}`), '.').filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
