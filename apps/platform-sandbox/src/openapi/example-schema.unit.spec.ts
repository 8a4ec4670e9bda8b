import { describe, expect, it } from '@jest/globals';
import { schemaOf } from './example-schema.ts';

describe('the schema that an example shows', () => {
  it.each([
    ['text', { type: 'string' }],
    ['11111111-1111-4111-8111-111111111111', { type: 'string', format: 'uuid' }],
    ['2026-11-20T13:15:00.000Z', { type: 'string', format: 'date-time' }],
    [7, { type: 'integer' }],
    [0.5, { type: 'number' }],
    [false, { type: 'boolean' }],
    [null, {}],
    [[], { type: 'array', items: {} }],
    [[1, 2], { type: 'array', items: { type: 'integer' } }],
    [[1, null], { type: 'array', items: {} }],
    [[1, 0.5], { type: 'array', items: { type: 'number' } }],
    [['a', '11111111-1111-4111-8111-111111111111'], { type: 'array', items: { type: 'string' } }],
    [
      [{ a: 1 }, { a: 2, b: [{ c: 1 }] }],
      {
        type: 'array',
        items: {
          type: 'object',
          required: ['a'],
          properties: {
            a: { type: 'integer' },
            b: { type: 'array', items: { type: 'object', required: ['c'], properties: { c: { type: 'integer' } } } },
          },
        },
      },
    ],
    [
      { a: 1, b: null },
      { type: 'object', required: ['a', 'b'], properties: { a: { type: 'integer' }, b: {} } },
    ],
  ])('of %j is %j', (example, schema) => {
    expect(schemaOf(example)).toEqual(schema);
  });

  it('requires no key of a body', () => {
    const properties = { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'integer' } } } } };
    expect(schemaOf({ a: [{ b: 1 }] }, false)).toEqual({ type: 'object', properties });
  });
});
