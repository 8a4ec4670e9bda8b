import { describe, expect, it } from '@jest/globals';
import { readableSchema } from './readable-schema.ts';

describe('a schema for generators of clients', () => {
  it.each([
    [{ type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      { type: ['number', 'string'], description: 'Price' },
      { description: 'Price', oneOf: [{ type: 'number' }, { type: 'string' }] },
    ],
    [
      { enum: ['a', 1, 2] },
      {
        oneOf: [
          { type: 'string', enum: ['a'] },
          { type: 'number', enum: [1, 2] },
        ],
      },
    ],
    [
      { type: 'string', enum: ['a', 'b'] },
      { type: 'string', enum: ['a', 'b'] },
    ],
    [
      { type: 'string', const: 'a' },
      { type: 'string', enum: ['a'] },
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { oneOf: [{ type: 'string' }, { type: 'null' }] }],
    [
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'integer', minimum: 1 },
    ],
    [
      { type: 'number', exclusiveMinimum: 0, description: 'Weight' },
      { type: 'number', minimum: 0, description: 'Weight; more than 0' },
    ],
    [
      { type: 'object', default: {}, properties: { default: { type: 'integer', default: 7 }, const: { const: 'x' } } },
      { type: 'object', properties: { default: { type: 'integer', default: 7 }, const: { enum: ['x'] } } },
    ],
    [
      { type: 'array', items: { const: 1 } },
      { type: 'array', items: { enum: [1] } },
    ],
  ])('of %j is %j', (schema: object, readable) => {
    expect(readableSchema(schema)).toEqual(readable);
  });
});
