import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { contentHash } from './content-hash.ts';

function hash(text: string): string {
  return contentHash(Buffer.from(text), ['requestedAt']);
}

describe('contentHash', () => {
  it('is equal for the same JSON without requestedAt, whatever its white space and order (rule 19)', () => {
    expect(hash('{"commandId":"c-1","n":{"b":1,"a":[1,2]}}')).toBe(
      hash(' { "n": {"a": [1, 2], "b": 1}, "requestedAt": "2026-11-20T10:00:00Z", "commandId": "c-1" }'),
    );
  });

  it.each([
    ['another value', '{"a":1}', '{"a":2}'],
    ['null and absent', '{"a":null}', '{}'],
    ['text and number', '{"a":"1"}', '{"a":1}'],
    ['the digits of a number', '{"a":1.10}', '{"a":1.1}'],
    ['digits beyond a float', '{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['the order of a list', '[1,2]', '[2,1]'],
    ['a requestedAt further inside', '{"a":{"requestedAt":1}}', '{"a":{"requestedAt":2}}'],
    ['what is no JSON', '{"a":', '{"a": '],
    ['nothing and no JSON', '', '{'],
  ])('tells %s apart', (_, one, other) => {
    expect(hash(one)).not.toBe(hash(other));
  });

  it('takes a tombstone, bytes that are no text, and nesting without end', () => {
    expect(contentHash(null, [])).toMatch(/^[0-9a-f]{64}$/);
    expect(contentHash(Buffer.from([0xff, 0xfe]), [])).not.toBe(contentHash(Buffer.from([0xff, 0xfd]), []));
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(hash(deep)).not.toBe(hash(`${deep} `));
  });

  it('does not change when any JSON value is written with its keys in another order', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(hash(JSON.stringify(value))).toBe(hash(JSON.stringify(reversed(value), null, 2)));
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
