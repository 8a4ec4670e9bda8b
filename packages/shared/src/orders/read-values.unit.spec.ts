import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { tryParseWithDigits } from '../json/json-digits.ts';
import { ORDER_STATUSES } from './order-statuses.ts';
import { numberOf, shownStatus, statusCodeOf } from './read-values.ts';

describe('a status that the platform sends', () => {
  it.each(Object.entries(ORDER_STATUSES).map(([code, { name }]) => [Number(code), name] as const))(
    '%i is read as a number, as its digits and as %s (rule 9)',
    (code, name) => {
      for (const form of [code, String(code), ` ${code}\n`, `${code}.0`, name, name.toLowerCase(), `"${code}.00"`]) {
        const value = typeof form === 'string' && form.startsWith('"') ? tryParseWithDigits(form) : form;
        expect(statusCodeOf(value)).toBe(code);
      }
      expect(statusCodeOf(tryParseWithDigits(`${code}.0`))).toBe(code);
    },
  );

  it.each([
    0,
    -300,
    '0',
    '',
    'PAID',
    '3e2',
    '300.5',
    '0x12C',
    1_000_000_000,
    null,
    undefined,
    true,
    [300],
    { code: 300 },
  ])('is not guessed from %j', (value) => {
    expect(statusCodeOf(value)).toBeNull();
  });

  it('is none where a read shows 1300, in any form (rules 7, 9)', () => {
    for (const form of [1300, '1300', 'OrderUpdated']) expect(shownStatus(form)).toBeNull();
    expect(shownStatus('300')).toBe(300);
  });

  it('is a code that can be stored, or null, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const code = statusCodeOf(value as never);
        expect(code === null || (Number.isInteger(code) && code > 0 && code < 1e9)).toBe(true);
      }),
    );
  });
});

describe('a number that the platform sends', () => {
  it.each([
    [3, 3],
    ['3', 3],
    [' 3.0 ', 3],
    ['0.5', 0.5],
    [tryParseWithDigits('2.50'), 2.5],
  ])('%j is %d', (value, number) => {
    expect(numberOf(value)).toBe(number);
  });

  it.each(['', 'three', '1,5', '1e3', '99999999999999999999', null, undefined, true, []])('is none in %j', (value) => {
    expect(numberOf(value)).toBeNull();
  });
});
