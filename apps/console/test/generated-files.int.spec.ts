import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { CONSOLE, generatedFiles } from '../scripts/api-types.ts';

it('the passed routes and the shapes of their answers are those of the apps; npm run console:api generates them', async () => {
  const generated = [...(await generatedFiles())].filter(([name]) => name.startsWith('src/'));
  expect(generated).toHaveLength(2);
  for (const [name, text] of generated) {
    expect({ name, text: await readFile(new URL(name, CONSOLE), 'utf8') }).toEqual({ name, text });
  }
});
