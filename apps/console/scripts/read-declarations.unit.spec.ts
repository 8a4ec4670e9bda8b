import { describe, expect, it } from '@jest/globals';
import { readDeclarations } from './read-declarations.ts';

const OPEN = { 'x-personal': false };
const PERSONAL = { 'x-personal': true };
const TEXT = { type: 'string' };

function declarationsOf(schema: object, schemas: object = {}) {
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const document = { paths: { '/api/things': { get: { responses } } }, components: { schemas } };
  const { shapes, undeclared } = readDeclarations(document as unknown as Parameters<typeof readDeclarations>[0]);
  return { shape: shapes.get('GET /api/things'), undeclared };
}

function object(properties: object): object {
  return { type: 'object', properties };
}

describe('the declarations of an answer', () => {
  it('are those of its fields, through references, lists, maps and alternatives', () => {
    const schemas = { Person: object({ name: { ...TEXT, ...PERSONAL }, id: { ...TEXT, ...OPEN } }) };
    const ref = { $ref: '#/components/schemas/Person' };
    const fields = {
      one: { ...OPEN, allOf: [ref] },
      none: { ...OPEN, anyOf: [ref, { type: 'null' }] },
      list: { ...OPEN, type: 'array', items: ref },
      map: { ...OPEN, type: 'object', additionalProperties: ref },
      whole: { ...PERSONAL, allOf: [ref] },
    };
    const person = { name: false, id: true };
    expect(declarationsOf(object(fields), schemas)).toEqual({
      shape: { one: person, none: person, list: [person], map: { '*': person }, whole: false },
      undeclared: [],
    });
  });

  it.each([
    ['in an object', object({ inner: { ...OPEN, ...object({ name: TEXT }) } }), 'GET /api/things.inner.name'],
    [
      'in a list',
      object({ inner: { ...OPEN, type: 'array', items: object({ name: TEXT }) } }),
      'GET /api/things.inner.name',
    ],
    [
      'in a map',
      object({ inner: { ...OPEN, type: 'object', additionalProperties: object({ name: TEXT }) } }),
      'GET /api/things.inner.*.name',
    ],
    ['in an alternative', { anyOf: [object({ name: TEXT }), { type: 'null' }] }, 'GET /api/things.name'],
    ['that leads to declared ones', object({ inner: object({ name: { ...TEXT, ...OPEN } }) }), 'GET /api/things.inner'],
  ])('miss a field %s by its name', (_where, schema, name) => {
    expect(declarationsOf(schema).undeclared).toEqual([name]);
  });

  it.each([
    { type: 'object', additionalProperties: true },
    { type: 'object' },
    { type: 'array' },
    { type: ['object', 'null'] },
    {},
  ])('cannot be open for JSON of unknown form: %j', (schema) => {
    const { undeclared } = declarationsOf(object({ inner: { ...OPEN, ...schema } }));
    expect(undeclared).toEqual(['GET /api/things.inner: JSON of unknown form']);
    expect(declarationsOf(object({ inner: { ...PERSONAL, ...schema } })).undeclared).toEqual([]);
  });

  it('are personal where one of two alternatives is', () => {
    const alternatives = [object({ name: { ...TEXT, ...OPEN } }), object({ name: { ...TEXT, ...PERSONAL } })];
    expect(declarationsOf({ oneOf: alternatives }).shape).toEqual({ name: false });
  });
});
