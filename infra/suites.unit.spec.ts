import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { suitesIn } from './suites.ts';

const SUITES = {
  'one.unit.spec.ts': "import { sized } from '@gondola/local-stack/testing/sized';",
  'own.unit.spec.ts': "import { sized } from './testing/sized.ts';",
  'two.unit.spec.ts': "import { resized } from './resized.ts';",
  'four.long.spec.ts': '',
  'three.ts': "import { sized } from '@gondola/local-stack/testing/sized';",
};

describe('the suites of a workspace', () => {
  it('are its specs but for the long ones, and in a long run these and those with larger sizes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gondola-suites-'));
    for (const [name, text] of Object.entries(SUITES)) await writeFile(join(folder, name), text);
    expect(suitesIn(folder, { long: false }).toSorted()).toEqual([
      'one.unit.spec.ts',
      'own.unit.spec.ts',
      'two.unit.spec.ts',
    ]);
    expect(suitesIn(folder, { long: true }).toSorted()).toEqual([
      'four.long.spec.ts',
      'one.unit.spec.ts',
      'own.unit.spec.ts',
    ]);
    await rm(folder, { recursive: true });
  });
});
