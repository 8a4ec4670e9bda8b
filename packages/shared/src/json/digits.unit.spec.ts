import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { decimalTextOf, decimalTextToNumberToken, integerTextOf, isDecimalText } from './digits.ts';
import { parseWithDigits, stringifyWithDigits } from './json-digits.ts';
import { jsonNumberText } from '../testing/arbitrary-json.ts';

const decimalText = fc
  .tuple(fc.constantFrom('', '-'), fc.stringMatching(/^(0|[1-9]\d{0,20})$/), fc.option(fc.stringMatching(/^\d{1,12}$/)))
  .map(([sign, whole, fraction]) => sign + whole + (fraction === null ? '' : `.${fraction}`));

describe('digits', () => {
  it('posts decimal text as a JSON number of the same digits, and a JSON number as it is (rule 21)', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const fromText = decimalTextToNumberToken(text);
        const fromNumber = decimalTextToNumberToken(parseWithDigits(text));
        expect(fromText === null ? null : stringifyWithDigits(fromText)).toBe(text);
        expect(fromNumber === null ? null : stringifyWithDigits(fromNumber)).toBe(text);
      }),
    );
    expect(decimalTextToNumberToken('0.1')).toBe(0.1);
  });

  it('keeps each digit of decimal text, and writes exponents out without changing the number', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        expect(decimalTextOf(text)).toBe(text);
      }),
    );
    fc.assert(
      fc.property(jsonNumberText, (token) => {
        const text = decimalTextOf(parseWithDigits(token));
        expect(text === null || (new Big(text).eq(token) && isDecimalText(text))).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(decimalTextOf(parseWithDigits('1.230e2'))).toBe('123.0');
    expect(decimalTextOf(parseWithDigits('1.5E-3'))).toBe('0.0015');
    expect(decimalTextOf(1e21)).toBe('1000000000000000000000');
  });

  it('reads as an integer each JSON number without a fraction, as JSON Schema does, and text of digits only', () => {
    fc.assert(
      fc.property(jsonNumberText, (token) => {
        const number = new Big(token);
        const isInteger = decimalTextOf(parseWithDigits(token)) !== null && number.eq(number.round(0, Big.roundDown));
        expect(integerTextOf(parseWithDigits(token))).toBe(
          isInteger ? number.plus(0).toFixed().replace(/^-0$/, '0') : null,
        );
      }),
      { numRuns: 1000 },
    );
    const written = ['100001', '100001.0', '100001.00', '1.00001e5', '1000010E-1'];
    expect(written.map((token) => integerTextOf(parseWithDigits(token)))).toEqual(written.map(() => '100001'));
    expect(['7', '-7', '7.0', '1e3', '07', ''].map((text) => integerTextOf(text))).toEqual([
      '7',
      '-7',
      null,
      null,
      null,
      null,
    ]);
  });

  it('takes nothing else for a number', () => {
    for (const other of ['', ' 1', '1,5', '01', '.5', '1.', '+1', '1e2', '0x1', 'abc', null, true, [], {}, undefined]) {
      expect(decimalTextOf(other)).toBeNull();
      expect(decimalTextToNumberToken(other)).toBeNull();
    }
  });

  it('does not write out numbers whose zeros would fill the memory', () => {
    expect(decimalTextOf(parseWithDigits('1e9999'))).toBeNull();
    expect(decimalTextOf(parseWithDigits('1e-9999'))).toBeNull();
    expect(decimalTextOf('1'.repeat(63))).toBeNull();
  });
});
