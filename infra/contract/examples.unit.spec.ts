import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { CONTRACT_FOLDER, schemasIn } from './contract-files.ts';

const FOLDER = new URL('examples/', CONTRACT_FOLDER);

interface Example {
  readonly file: string;
  readonly text: string;
  /** Schema of the example: `result.v1` for `result.v1.json` and for `result.v1.refused.json`. */
  readonly schema: string;
}

async function examples(): Promise<Example[]> {
  const read = (await readdir(FOLDER)).map(async (file) => {
    const schema = /^.*\.v\d+(?=\.)/.exec(file)?.[0] ?? file;
    return { file, schema, text: await readFile(new URL(file, FOLDER), 'utf8') };
  });
  return Promise.all(read);
}

/** All objects inside a value, including the value itself. */
function objectsIn(value: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value as Readonly<Record<string, unknown>>, ...inner];
}

describe('the examples of the contract', () => {
  it('are there for each schema, and are what it says', async () => {
    const schemas = await schemasIn(new URL('schemas/', CONTRACT_FOLDER));
    const all = await examples();
    expect(new Set(all.map(({ schema }) => schema))).toEqual(new Set(schemas.keys()));
    expect(all.map(({ file }) => file)).toEqual(
      expect.arrayContaining([...schemas.keys()].map((name) => `${name}.json`)),
    );
    const problems = all.flatMap(({ file, schema, text }) =>
      schemaCheck(schemas.get(schema)!)(JSON.parse(text)).map((problem) => `${file}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('name no shopper but those of tests', async () => {
    const people = (await examples())
      .flatMap(({ text }) => objectsIn(JSON.parse(text)))
      .filter((each) => 'firstName' in each);
    expect(people.length).toBeGreaterThan(0);
    const names = people.map(({ firstName, lastName, email }) => [firstName, lastName, email].join());
    const shopper = /^Cliente,Teste (\d\d),cliente\.teste\1@example\.com$/;
    expect(names).toEqual(names.map(() => expect.stringMatching(shopper)));
  });
});
