import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, property, string, tuple } from 'fast-check';
import { type JsonRecord, parseWithDigits, stringifyWithDigits } from '../json/json-digits.ts';
import { jsonText } from '../testing/arbitrary-json.ts';
import { codesWithBlanks, withIdentityTexts } from './identity-texts.ts';

const read = (text: string) => stringifyWithDigits(withIdentityTexts(parseWithDigits(text) as JsonRecord));

/** A record inside others: `brand` and `category` are objects, the other fields are lists. */
function within(path: readonly string[], record: JsonRecord): JsonRecord {
  return path.reduceRight<JsonRecord>(
    (inner, name) => ({ [name]: name === 'brand' || name === 'category' ? inner : [inner] }),
    record,
  );
}

describe('identities of a record or command', () => {
  it('that came as integers are the text of their digits, wherever they stand (contract, Values)', () => {
    expect(read('{"externalReference":4711,"recordId":12345678901234567890,"brandExternalReference":7}')).toBe(
      '{"externalReference":"4711","recordId":"12345678901234567890","brandExternalReference":"7"}',
    );
    expect(read('{"skus":[{"externalReference":1},2],"brand":{"externalReference":3,"id":4}}')).toBe(
      '{"skus":[{"externalReference":"1"},2],"brand":{"externalReference":"3","id":4}}',
    );
    expect(read('{"children":[{"externalReference":1,"children":[{"parentExternalReference":1}]}]}')).toBe(
      '{"children":[{"externalReference":"1","children":[{"parentExternalReference":"1"}]}]}',
    );
  });

  it('are integers however a serialiser writes them (contract, Values)', () => {
    expect(read('{"externalReference":4711.0,"recordId":1e3,"commandId":-0,"warehouse":12345678901234567890.00}')).toBe(
      '{"externalReference":"4711","recordId":"1000","commandId":"0","warehouse":"12345678901234567890"}',
    );
  });

  it('that are no integers stay as they are, and so does what stands in data', () => {
    for (const text of [
      '{"externalReference":4711.5}',
      '{"externalReference":-1}',
      '{"externalReference":1e-1}',
      '{"externalReference":null,"skus":null}',
      '{"data":{"externalReference":1,"skus":[{"externalReference":2}]}}',
      '{"punctuation":10,"__proto__":{"externalReference":1}}',
    ]) {
      expect(read(text)).toBe(text);
    }
  });

  it('and codes have no blanks around them, wherever they stand, and are named (contract, Values)', () => {
    const blanks = constantFrom('', ' ', '          ', '\t', '\r\n', '\u00A0');
    const key = constantFrom('externalReference', 'recordId', 'warehouse', 'skuExternalReference', 'reference', 'ean');
    const place = array(constantFrom('skus', 'children', 'items', 'brand', 'category'), { maxLength: 3 });
    const code = string({ minLength: 1 }).filter((text) => text.trim() === text);
    assert(
      property(key, place, code, tuple(blanks, blanks), (name, path, text, [before, after]) => {
        const written = before + text + after;
        const of = (value: string): JsonRecord =>
          within(path, { [name]: value, name: written, data: { ean: written } });
        const read = withIdentityTexts(of(written));
        expect(read).toEqual(of(text));
        expect(codesWithBlanks(of(written))).toHaveLength(written === text ? 0 : 1);
        expect(codesWithBlanks(read)).toEqual([]);
      }),
    );
  });

  it('and codes with blanks are named each once', () => {
    const skus = [{ externalReference: '4711-1 ', ean: ' 96385074' }, { externalReference: '4711-2 ' }];
    const record = { externalReference: '4711', recordId: 'r-1 ', skus, brand: { externalReference: ' 7' } };
    expect(codesWithBlanks(record)).toEqual([
      'recordId',
      'skus[].externalReference',
      'skus[].ean',
      'brand.externalReference',
    ]);
  });

  it('are all that changes: any other record is the same in every digit (rule 21)', () => {
    assert(
      property(jsonText({ spaced: false }), (text) => {
        const record = { name: parseWithDigits(text), data: parseWithDigits(text) };
        expect(stringifyWithDigits(withIdentityTexts(record))).toBe(stringifyWithDigits(record));
      }),
    );
  });
});
