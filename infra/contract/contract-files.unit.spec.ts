import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { CONTRACT_FOLDER, contractFiles } from './contract-files.ts';

describe('docs/contract', () => {
  it('is what the code says: `npm run contract` writes it', async () => {
    for (const [path, text] of contractFiles()) {
      expect({ path, text: await readFile(new URL(path, CONTRACT_FOLDER), 'utf8') }).toEqual({ path, text });
    }
  });

  it('has no schema of a removed record', async () => {
    const generated = [...contractFiles().keys()].filter((path) => path.startsWith('schemas/'));
    const committed = await readdir(new URL('schemas/', CONTRACT_FOLDER));
    expect(committed.map((name) => `schemas/${name}`).toSorted()).toEqual(generated.toSorted());
  });
});
