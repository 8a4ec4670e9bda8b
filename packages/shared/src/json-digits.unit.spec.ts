import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  decodeUtf8,
  isDigits,
  isPlainRecord,
  numberFromToken,
  parseWithDigits,
  stringifyWithDigits,
  tryParseWithDigits,
} from './json-digits.ts';

const jsonNumber = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,25}$/)),
    fc.option(fc.stringMatching(/^\d{1,12}$/)),
    fc.option(fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map(
    ([sign, whole, fraction, exponent]) => sign + whole + (fraction === null ? '' : `.${fraction}`) + (exponent ?? ''),
  );

/** Compact JSON text with numbers as anybody may write them; keys are such that JavaScript leaves their order alone. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    jsonNumber,
    fc.constantFrom('null', 'true', 'false'),
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(
        fc.tuple(
          fc.string().map((key) => `k${key}`),
          tie('value'),
        ),
        { maxLength: 4, selector: ([key]) => key },
      )
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  ),
})).value;

describe('json digits', () => {
  it('writes again, digit for digit, any JSON it read: nulls, absent keys and the order of keys included (rule 21)', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(stringifyWithDigits(parseWithDigits(text))).toBe(text);
      }),
    );
  });

  it('keeps 1.10 and twenty digits, and leaves ordinary numbers ordinary (rule 21)', () => {
    expect(stringifyWithDigits(parseWithDigits('[1.10,12345678901234567890,-0,1e2]'))).toBe(
      '[1.10,12345678901234567890,-0,1e2]',
    );
    expect(numberFromToken('0.1')).toBe(0.1);
    expect(isDigits(numberFromToken('0.10'))).toBe(true);
  });

  it('keeps a key named __proto__ as a key', () => {
    expect(stringifyWithDigits(parseWithDigits('{"__proto__":{"a":1.0}}'))).toBe('{"__proto__":{"a":1.0}}');
  });

  it('is undefined for what is no JSON, and for nesting that no runtime follows', () => {
    expect(tryParseWithDigits('{')).toBeUndefined();
    expect(tryParseWithDigits('')).toBeUndefined();
    expect(tryParseWithDigits('['.repeat(200_000) + ']'.repeat(200_000))).toBeUndefined();
  });

  it('takes only JSON objects for records', () => {
    for (const other of [null, [], 'a', 1, numberFromToken('1.0'), new Map(), new Date(0)]) {
      expect(isPlainRecord(other)).toBe(false);
    }
    expect(isPlainRecord({})).toBe(true);
  });

  it('decodes UTF-8 without its byte order mark, and nothing else', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toBe('{}');
    expect(decodeUtf8(Uint8Array.of(0xff))).toBeUndefined();
  });
});
