import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { apiTypes, TYPES_FOLDER } from '../scripts/api-types.ts';

describe('the types of the operations APIs', () => {
  it('are those of the apps; npm run console:api generates them', async () => {
    const found = new Map<string, string>();
    const expected = await apiTypes();
    for (const name of expected.keys()) found.set(name, await readFile(new URL(name, TYPES_FOLDER), 'utf8'));
    expect(found).toEqual(expected);
  });
});
