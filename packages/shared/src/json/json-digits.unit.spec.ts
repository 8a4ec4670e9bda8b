import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  decodeUtf8,
  isDigits,
  isPlainRecord,
  numberFromToken,
  parseBytes,
  parseRecord,
  parseWithDigits,
  stringifyWithDigits,
  tryParseWithDigits,
  valueAtPath,
} from './json-digits.ts';
import { jsonText } from '../testing/arbitrary-json.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

const revived = (text: string): unknown =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? numberFromToken(source) : value) as (key: string, value: unknown) => unknown);

describe('json digits', () => {
  it('writes again, digit for digit, any JSON it read: nulls, absent keys and the order of keys included (rule 21)', () => {
    fc.assert(
      fc.property(jsonText({ spaced: false }), (text) => {
        expect(stringifyWithDigits(parseWithDigits(text))).toBe(text);
      }),
    );
  });

  it('tells numbers from the text around them: every value is what a reviver with its source makes of it', () => {
    fc.assert(
      fc.property(jsonText({ spaced: true }), (text) => {
        expect(parseWithDigits(text)).toEqual(revived(text));
      }),
    );
    for (const text of [
      '[1]',
      '1',
      '{"1.0":2,"\\\\":1.5}',
      '["\\"1.0",7]',
      '[0.0000001]',
      '[1e21,1e+21]',
      '[-0]',
      '[[1],1.0]',
    ]) {
      expect(parseWithDigits(text)).toEqual(revived(text));
    }
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

  it('is undefined for what is no JSON', () => {
    for (const text of ['{', '', '01', "{'a':1}", '[1,]']) expect(tryParseWithDigits(text)).toBeUndefined();
  });

  it('follows 256 levels and not one more, brackets in text not counted', () => {
    expect(tryParseWithDigits(nested(256))).toBeDefined();
    expect(tryParseWithDigits(nested(257))).toBeUndefined();
    expect(tryParseWithDigits(nested(200_000))).toBeUndefined();
    expect(tryParseWithDigits(`[${'[1],'.repeat(300)}[1.0]]`)).toBeDefined();
    expect(tryParseWithDigits(JSON.stringify(`\\"${'['.repeat(300)}\\`))).toBeDefined();
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

  it('reads received bytes, and what is no JSON in UTF-8 as undefined', () => {
    expect(parseBytes(Buffer.from('[1.10, null]'))).toEqual([numberFromToken('1.10'), null]);
    for (const bytes of [null, undefined, Buffer.from(''), Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22])]) {
      expect(parseBytes(bytes)).toBeUndefined();
    }
  });

  it('reads received bytes as an object, and all else as null', () => {
    expect(parseRecord(Buffer.from('{"a":{}}'))).toEqual({ a: {} });
    for (const bytes of [null, Buffer.from('[]'), Buffer.from('null'), Buffer.from('1.10'), Buffer.from('{')]) {
      expect(parseRecord(bytes)).toBeNull();
    }
  });
});

describe('a path of field names', () => {
  const record = { status: 0, data: { status: 350, none: null, list: [{ status: 1 }] } };

  it.each([
    ['status', 0],
    ['data.status', 350],
    ['data.none', null],
    ['data.none.status', undefined],
    ['data.list.status', undefined],
    ['data.list.0', undefined],
    ['missing.status', undefined],
    ['constructor', undefined],
    ['data.toString', undefined],
  ])('%s gives %j', (path, value) => {
    expect(valueAtPath(record, path)).toBe(value);
  });
});
