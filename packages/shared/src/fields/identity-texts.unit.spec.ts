import { describe, expect, it } from '@jest/globals';
import { assert, property } from 'fast-check';
import { type JsonRecord, parseWithDigits, stringifyWithDigits } from '../json/json-digits.ts';
import { jsonText } from '../testing/arbitrary-json.ts';
import { withIdentityTexts } from './identity-texts.ts';

const read = (text: string) => stringifyWithDigits(withIdentityTexts(parseWithDigits(text) as JsonRecord));

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

  it('that are no integers stay as they are, and so does what stands in data', () => {
    for (const text of [
      '{"externalReference":4711.0}',
      '{"externalReference":-1}',
      '{"externalReference":1e3}',
      '{"externalReference":null,"skus":null}',
      '{"data":{"externalReference":1,"skus":[{"externalReference":2}]}}',
      '{"punctuation":10,"__proto__":{"externalReference":1}}',
    ]) {
      expect(read(text)).toBe(text);
    }
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
