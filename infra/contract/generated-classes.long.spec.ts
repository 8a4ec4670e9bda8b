import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONTRACT_FOLDER, schemasIn } from './contract-files.ts';
import { GENERATORS, type Recorded } from './testing/generated-classes.ts';

const EXAMPLES = fileURLToPath(new URL('examples/', CONTRACT_FOLDER));

const RECORDED = readdirSync(EXAMPLES).map((file): Recorded => {
  return { path: join(EXAMPLES, file), schema: /^.*\.v\d+(?=\.)/.exec(file)![0] };
});

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-classes-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

for (const { name, missing, schemas: known = /^/, readAll } of GENERATORS) {
  const byGenerator = missing === null ? describe : describe.skip;
  byGenerator(`classes by ${name}${missing === null ? '' : ` (skipped without ${missing})`}`, () => {
    it('read every recorded record of the contract, and write it valid again', async () => {
      const records = RECORDED.filter(({ schema }) => known.test(schema));
      const [own, written] = [join(folder, name), join(folder, name, 'written')];
      await mkdir(written, { recursive: true });
      await readAll(records, own, written);
      const schemas = await schemasIn(new URL('schemas/', CONTRACT_FOLDER));
      const problems: string[] = [];
      for (const { path, schema } of records) {
        const file = basename(path);
        const value: unknown = JSON.parse(await readFile(join(written, file), 'utf8'));
        problems.push(...schemaCheck(schemas.get(schema)!)(value).map((problem) => `${file}: ${problem}`));
      }
      expect(problems).toEqual([]);
      expect(records.length).toBeGreaterThan(50);
    });
  });
}
