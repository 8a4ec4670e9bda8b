import { CONTRACT_RECORDS } from '@gondola/shared/contract/contract-records';
import type { JsonSchema, SchemaValue } from '@gondola/shared/schemas/json-schema';
import { describe, expect, it } from '@jest/globals';
import { CONTRACT_FOLDER, lastReleasedSchemas, schemasIn } from './contract-files.ts';
import { restated } from './testing/restated-schemas.ts';
import { breaksOf } from './testing/schema-compatibility.ts';

type Change = (schema: JsonSchema) => JsonSchema;

/** Replaces a field's schema; without one, removes the field. */
function withField(name: string, schema: JsonSchema | undefined, isRequired = false): Change {
  return (whole) => {
    const { [name]: _before, ...others } = whole['properties'] as Record<string, JsonSchema>;
    const required = (whole['required'] as readonly string[]).filter((each) => each !== name);
    return {
      ...whole,
      properties: schema === undefined ? others : { ...others, [name]: schema },
      required: isRequired ? [...required, name] : required,
    };
  };
}

function renamed(name: string, other: string): Change {
  return (whole) => {
    const field = (whole['properties'] as Record<string, JsonSchema>)[name];
    const isRequired = (whole['required'] as readonly SchemaValue[]).includes(name);
    return withField(other, field, isRequired)(withField(name, undefined)(whole));
  };
}

async function schemaOf(name: string): Promise<JsonSchema> {
  return (await schemasIn(new URL('schemas/', CONTRACT_FOLDER))).get(name)!;
}

describe('the schemas of the contract', () => {
  it('break no reader and no writer of the last release', async () => {
    const current = await schemasIn(new URL('schemas/', CONTRACT_FOLDER));
    const writers = new Map(CONTRACT_RECORDS.map(({ name, writer }) => [name, writer === 'erp' ? 'erp' : 'gondola']));
    const breaks = [...(await lastReleasedSchemas())].flatMap(([name, released]) => {
      const schema = current.get(name);
      const writer = writers.get(name.split('.')[0] ?? '');
      if (schema === undefined || writer === undefined) return [`${name}: is lost`];
      return breaksOf(restated(released), schema, writer as 'erp' | 'gondola').map((found) => `${name}: ${found}`);
    });
    expect(breaks).toEqual([]);
  });

  it('take each record that the last release wrote: new are only the form of a time and the size of a number', async () => {
    const current = await schemasIn(new URL('schemas/', CONTRACT_FOLDER));
    const narrower = [...(await lastReleasedSchemas())].flatMap(([name, released]) =>
      breaksOf(restated(released), current.get(name)!, 'erp').map((found) => `${name}: ${found}`),
    );
    expect(
      narrower.filter((found) => !/(?:time|since|At|Start|End): pattern$|(?:Number|revision): maximum$/.test(found)),
    ).toEqual([]);
  });
});

describe('a change of what an ERP writes', () => {
  it.each<[string, Change, string]>([
    ['a renamed field', renamed('reason', 'why'), '/reason: is lost'],
    [
      'a new required field',
      withField('store', { type: 'string' }, true),
      '/store: is required where it may be absent',
    ],
    ['a lost field', withField('carrier', undefined), '/carrier: is lost'],
    ['a narrower type', withField('carrier', { type: 'string' }), '/carrier: type string|null is not string'],
    ['another type', withField('carrier', { type: 'integer' }), '/carrier: type string|null is not integer'],
    ['a new limit', withField('carrier', { type: ['string', 'null'], maxLength: 5 }), '/carrier: maxLength'],
    ['a new pattern', withField('carrier', { type: ['string', 'null'], pattern: '^A' }), '/carrier: pattern'],
    ['words in place of text', withField('carrier', { enum: ['a', null] }), '/carrier: words any'],
    ['a new rule', (schema) => ({ ...schema, allOf: [{ required: ['carrier'] }] }), '/: rule {"required":["carrier"]}'],
  ])('breaks its writer: %s', async (_name, change, expected) => {
    const schema = await schemaOf('Ship.v1');
    expect(breaksOf(schema, change(schema), 'erp')).toContain(expected);
  });

  it.each<[string, Change]>([
    ['a new optional field', withField('store', { type: 'string' })],
    ['a field that need no longer be there', withField('orderNumber', { type: ['integer', 'string'] })],
    ['a wider type', withField('carrier', { type: ['string', 'integer', 'null'] })],
  ])('does not break its writer: %s', async (_name, change) => {
    const schema = await schemaOf('Ship.v1');
    expect(breaksOf(schema, change(schema), 'erp')).toEqual([]);
  });
});

describe('a length of at least one', () => {
  it.each([
    [String.raw`\S`, []],
    ['^a?$', ['/: minLength']],
  ])('is a new limit for the writer of %s only if that matches the empty text', (pattern, breaks) => {
    expect(breaksOf({ type: 'string', pattern }, { type: 'string', minLength: 1 }, 'erp')).toEqual(breaks);
  });
});

describe('a change of what Gondola writes', () => {
  it.each<[string, Change, string]>([
    ['a renamed field', renamed('revision', 'version'), '/revision: is lost'],
    ['a lost field that may be absent', withField('skus', undefined), '/skus: is lost'],
    [
      'a field that may be absent',
      withField('attempts', { type: 'integer' }),
      '/attempts: is required where it may be absent',
    ],
    [
      'a field that may be null',
      withField('attempts', { type: ['integer', 'null'] }, true),
      '/attempts: type integer|null is not integer',
    ],
    ['another type', withField('attempts', { type: 'string' }, true), '/attempts: type string is not integer'],
    [
      'a new word where none may come',
      withField('evidence', { type: 'string', enum: ['event', 'guess'] }, true),
      '/evidence: words "guess"',
    ],
    ['another format', withField('time', { type: 'string' }, true), '/time: format'],
  ])('breaks its reader: %s', async (_name, change, expected) => {
    const schema = await schemaOf('result.v1');
    expect(breaksOf(schema, change(schema), 'gondola')).toContain(expected);
  });

  it('breaks its reader inside of the records that it holds', async () => {
    const schema = await schemaOf('order-event.v1');
    const defs = schema['$defs'] as Record<string, JsonSchema>;
    const changed = (name: string, change: Change): JsonSchema => ({
      ...schema,
      $defs: { ...defs, [name]: change(defs[name]!) },
    });
    expect(breaksOf(schema, changed('OrderItem', renamed('net', 'total')), 'gondola')).toContain(
      '/order/items[]/net: is lost',
    );
    expect(breaksOf(schema, changed('EventCause', renamed('commandId', 'command')), 'gondola')).not.toEqual([]);
    const word = { type: 'string', examples: ['NEW_CODE'] };
    expect(breaksOf(schema, changed('Attention', withField('code', word, true)), 'gondola')).toEqual([]);
  });

  it('does not break its reader by a field more', async () => {
    const schema = await schemaOf('result.v1');
    expect(breaksOf(schema, withField('later', { type: 'string' }, true)(schema), 'gondola')).toEqual([]);
  });
});
