import { describe, expect, it } from '@jest/globals';
import { CONTRACT_RECORDS } from '@gondola/shared/contract/contract-records';
import type { JsonSchema } from '@gondola/shared/schemas/json-schema';
import { checkRecord, ERP_TOPICS } from '@gondola/shared/records/check-record';
import { schemaCheck } from '@gondola/shared/testing/schema-check';
import { allExamples, CONTRACT_FOLDER, schemasIn } from './contract-files.ts';

interface Example {
  readonly file: string;
  readonly text: string;
  /** Schema of the example: `result.v1` for `result.v1.json` and for `result.v1.refused.json`. */
  readonly schema: string;
}

async function examples(): Promise<Example[]> {
  return [...(await allExamples())].map(([file, text]) => {
    return { file, schema: /^.*\.v\d+(?=\.)/.exec(file)?.[0] ?? file, text };
  });
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

  it('are there for each type of an order event', async () => {
    const schemas = await schemasIn(new URL('schemas/', CONTRACT_FOLDER));
    const { type } = schemas.get('order-event.v1')!['properties'] as Record<string, JsonSchema>;
    const events = (await examples()).filter(({ schema }) => schema === 'order-event.v1');
    const types = events.map(({ text }) => (JSON.parse(text) as { type: string }).type);
    expect(types.toSorted()).toEqual((type!['examples'] as string[]).toSorted());
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
