import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalText, contentHash } from './content-hash.ts';
import { type JsonRecord, parseWithDigits } from '../json/json-digits.ts';
import { jsonText } from '../testing/arbitrary-json.ts';

const hashOf = (text: string): string => contentHash(parseWithDigits(text) as JsonRecord);

describe('content hash', () => {
  it('is equal for the same JSON however it is written, and without regard to requestedAt (rule 19)', () => {
    const first = hashOf('{"commandId":"c","items":[{"v":1.10,"n":null}],"requestedAt":"2026-11-20T10:00:00Z"}');
    expect(hashOf('{ "items": [ {"n": null, "v": 1.1} ], "commandId": "\\u0063" }')).toBe(first);
  });

  it.each([
    ['a value', '{"a":1}', '{"a":2}'],
    ['null and absent', '{"a":null}', '{}'],
    ['number and text', '{"a":1}', '{"a":"1"}'],
    ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['the last of many digits', '{"a":12345678901234567890}', '{"a":12345678901234567891}'],
    ['an inner requestedAt', '{"a":{"requestedAt":1}}', '{"a":{"requestedAt":2}}'],
    ['sign', '{"a":1}', '{"a":-1}'],
    ['a key named __proto__', '{"__proto__":1}', '{}'],
  ])('distinguishes %s (rule 19)', (_what, one, other) => {
    expect(hashOf(one)).not.toBe(hashOf(other));
  });

  it('does not depend on the order of keys, for any JSON', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map((item) => reversed(item));
      if (typeof value !== 'object' || value === null || JSON.stringify(value)[0] !== '{') return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, item]) => [key, reversed(item)]),
      );
    };
    fc.assert(
      fc.property(jsonText({ spaced: true }), (text) => {
        const value = parseWithDigits(text);
        expect(canonicalText(reversed(value) as typeof value)).toBe(canonicalText(value));
      }),
    );
  });

  it('takes numbers by their value', () => {
    const same = ['100', '1e2', '1.00E+2', '100.0', '1000e-1'];
    expect(new Set(same.map((token) => canonicalText(parseWithDigits(token)))).size).toBe(1);
    expect(canonicalText(parseWithDigits('-0.0'))).toBe(canonicalText(0));
    expect(canonicalText(parseWithDigits('1e999999999999'))).toBe('1e999999999999');
  });
});
