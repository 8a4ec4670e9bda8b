import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { CONTRACT_RECORDS } from '@gondola/shared/contract/contract-records';
import { checkRecord, ERP_TOPICS } from '@gondola/shared/records/check-record';
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

  it.each([
    ['as they are', (text: string) => text],
    ['with integers as floats', (text: string) => text.replaceAll(/(": \d+)(?=,?\n)/g, '$1.0')],
    [
      'with nine digits of a second',
      (text: string) => text.replaceAll(/(T\d\d:\d\d:\d\d)(\.\d+)?(?=[Z+-])/g, '$1.123456789'),
    ],
    ['with whole minutes', (text: string) => text.replaceAll(/(T\d\d:\d\d):\d\d(\.\d+)?(?=[Z+-])/g, '$1')],
  ])('of an ERP are valid to the apps %s', async (_as, written) => {
    const ofErp = (await examples()).flatMap(({ file, schema, text }) => {
      const record = CONTRACT_RECORDS.find(({ name }) => name === schema.split('.')[0]);
      const topic = ERP_TOPICS.find((name) => record?.topics.includes(name));
      return record?.writer === 'erp' && topic !== undefined ? [{ file, topic, text: written(text) }] : [];
    });
    const problems = ofErp.flatMap(({ file, topic, text }) => {
      const { errors } = checkRecord(topic, new TextEncoder().encode(text), {
        language: 'en',
        mode: 'update',
        units: { UN: 'Un' },
      });
      return errors.map(({ field, message }) => `${file}: ${field} ${message}`);
    });
    expect(problems).toEqual([]);
    expect(ofErp.length).toBeGreaterThan(20);
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
