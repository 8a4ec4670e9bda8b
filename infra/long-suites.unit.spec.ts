import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LONGEST, longSuites } from './long-suites.ts';

describe('the suites of a long run', () => {
  it('begin with the longest of all workspaces, so that none runs alone at the end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-long-suites-'));
    for (const name of ['away.long.spec.ts', 'lost-notifications.long.spec.ts', 'day.unit.spec.ts'])
      await writeFile(join(folder, name), '');
    const suites = longSuites(['@gondola/messaging', '@gondola/demo'].map((name) => ({ name, folder })));
    expect(suites[0]?.name).toBe('@gondola/demo lost-notifications.long.spec.ts');
    expect(suites.map(({ name }) => name).toSorted()).toEqual([
      '@gondola/demo away.long.spec.ts',
      '@gondola/demo lost-notifications.long.spec.ts',
      '@gondola/messaging away.long.spec.ts',
      '@gondola/messaging lost-notifications.long.spec.ts',
    ]);
    await rm(folder, { recursive: true });
  });

  it('are there where the longest are named', () => {
    const missing = LONGEST.filter((name) => {
      const [workspace = '', path = ''] = name.replace('@gondola/', '').split(' ');
      return !['..', '../apps', '../packages'].some((above) =>
        existsSync(join(import.meta.dirname, above, workspace, path)),
      );
    });
    expect(missing).toEqual([]);
  });
});
