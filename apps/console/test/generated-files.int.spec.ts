import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { CONSOLE, generatedFiles } from '../scripts/api-types.ts';

it('the passed routes, the shapes of their answers and the routes of the command line are those of the apps; npm run console:api generates them', async () => {
  const generated = [...(await generatedFiles())].filter(([name]) => !name.startsWith('web/'));
  expect(generated).toHaveLength(3);
  for (const [name, text] of generated) {
    expect({ name, text: await readFile(new URL(name, CONSOLE), 'utf8') }).toEqual({ name, text });
  }
});
