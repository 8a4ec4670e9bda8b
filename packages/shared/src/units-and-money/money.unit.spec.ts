import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { parseWithDigits } from '../json/json-digits.ts';
import { isSameMoney, moneyText, toCents } from './money.ts';

const cents = fc.integer({ min: -10_000_000_000, max: 10_000_000_000 });

describe('money', () => {
  it.each([
    ['12.5', '12.50'],
    ['0', '0.00'],
    ['-0', '0.00'],
    ['-3', '-3.00'],
    ['12.345', '12.345'],
    ['7.1550000', '7.155'],
    ['1e2', '100.00'],
    ['12345678901234567890.01', '12345678901234567890.01'],
  ])('writes %s as %s: at least two decimals, never rounded', (token, text) => {
    expect(moneyText(parseWithDigits(token))).toBe(text);
  });

  it('is the same for a JSON number and decimal text of the same value, and has the same value', () => {
    const amount = fc
      .tuple(cents, fc.integer({ min: 0, max: 6 }))
      .map(([whole, places]) => new Big(whole).div(10 ** places).toFixed());
    fc.assert(
      fc.property(amount, (text) => {
        expect(moneyText(text)).toBe(moneyText(parseWithDigits(text)));
        expect(new Big(moneyText(text) ?? 'none').eq(text)).toBe(true);
        expect(moneyText(text)).toMatch(/^-?\d+\.\d{2,}$/);
      }),
    );
  });

  it('gives the exact cents of every amount of cents: 19.99 is 1999 and 187.45 is 18745 (rule 14)', () => {
    expect(toCents('19.99')).toEqual({ ok: true, cents: 1999 });
    expect(toCents(187.45)).toEqual({ ok: true, cents: 18_745 });
    expect(toCents('187.4500')).toEqual({ ok: true, cents: 18_745 });
    fc.assert(
      fc.property(cents, (value) => {
        expect(toCents(new Big(value).div(100).toFixed(2))).toEqual({ ok: true, cents: value });
      }),
    );
  });

  it('refuses more than two decimals and what is no amount, and rounds neither (rule 14)', () => {
    expect(toCents('19.999')).toEqual({ ok: false, code: 'TOO_MANY_DECIMALS' });
    expect(toCents(0.001)).toEqual({ ok: false, code: 'TOO_MANY_DECIMALS' });
    for (const other of ['19,99', '', null, undefined, true, '99999999999999999999.00']) {
      expect(toCents(other)).toEqual({ ok: false, code: 'FIELD_TYPE' });
    }
  });

  it('compares by value', () => {
    expect(isSameMoney('12.50', 12.5)).toBe(true);
    expect(isSameMoney('12.50', '12.51')).toBe(false);
    expect(isSameMoney(null, null)).toBe(false);
  });
});
