import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allExamples, CONTRACT_FOLDER, schemasIn } from './contract-files.ts';
import { GENERATORS, type Recorded } from './testing/generated-classes.ts';

let recorded: readonly Recorded[];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-classes-'));
  const writing = [...(await allExamples())].map(async ([file, text]): Promise<Recorded> => {
    const path = join(folder, file);
    await writeFile(path, text);
    return { path, schema: /^.*\.v\d+(?=\.)/.exec(file)![0] };
  });
  recorded = await Promise.all(writing);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

for (const { name, missing, schemas: known = /^/, readAll } of GENERATORS) {
  const byGenerator = missing === null ? describe : describe.skip;
  byGenerator(`classes by ${name}${missing === null ? '' : ` (skipped without ${missing})`}`, () => {
    it('read every recorded record of the contract, and write it valid again', async () => {
      const records = recorded.filter(({ schema }) => known.test(schema));
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
