import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { CONSOLE, generatedFiles } from '../scripts/api-types.ts';

it('the types of the operations APIs and the shapes of their answers are those of the apps; npm run console:api generates them', async () => {
  const found = new Map<string, string>();
  const expected = await generatedFiles();
  for (const name of expected.keys()) found.set(name, await readFile(new URL(name, CONSOLE), 'utf8'));
  expect(found).toEqual(expected);
});
