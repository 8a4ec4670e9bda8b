import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALONE, LONGEST, longSuites } from './long-suites.ts';

describe('the suites of a long run', () => {
  it('begin with the longest of all workspaces, so that none runs alone at the end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-long-suites-'));
    for (const name of ['away.long.spec.ts', 'lost-notifications.long.spec.ts', 'day.unit.spec.ts'])
      await writeFile(join(folder, name), '');
    const suites = longSuites(['@gondola/operations', '@gondola/demo'].map((name) => ({ name, folder })));
    expect(suites[0]?.name).toBe('@gondola/demo lost-notifications.long.spec.ts');
    expect(suites.map(({ name }) => name).toSorted()).toEqual([
      '@gondola/demo away.long.spec.ts',
      '@gondola/demo lost-notifications.long.spec.ts',
      '@gondola/operations away.long.spec.ts',
      '@gondola/operations lost-notifications.long.spec.ts',
    ]);
    await rm(folder, { recursive: true });
  });

  it('end with those that compare times', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-long-suites-'));
    await mkdir(join(folder, 'strangers'));
    for (const name of ['strangers/strangers-day.long.spec.ts', 'zoo.long.spec.ts', 'restored.long.spec.ts'])
      await writeFile(join(folder, name), '');
    const suites = longSuites([{ name: '@gondola/demo', folder }]);
    expect(suites.map(({ path }) => path)).toEqual([
      'restored.long.spec.ts',
      'zoo.long.spec.ts',
      'strangers/strangers-day.long.spec.ts',
    ]);
    await rm(folder, { recursive: true });
  });

  it('are there where they are named', () => {
    const missing = [...LONGEST, ...ALONE].filter((name) => {
      const [workspace = '', path = ''] = name.replace('@gondola/', '').split(' ');
      return !['..', '../apps', '../packages'].some((above) =>
        existsSync(join(import.meta.dirname, above, workspace, path)),
      );
    });
    expect(missing).toEqual([]);
  });
});
