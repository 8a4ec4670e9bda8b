import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { CONSOLE, generatedFiles } from '../scripts/api-types.ts';

const SHAPES = 'src/passing/answer-shapes.ts';

it("the shapes of the operations APIs' answers are those of the apps; npm run console:api generates them", async () => {
  const found = await readFile(new URL(SHAPES, CONSOLE), 'utf8');
  expect(found).toBe((await generatedFiles()).get(SHAPES));
});
