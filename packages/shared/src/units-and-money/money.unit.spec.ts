import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import * as fc from 'fast-check';
import { parseWithDigits } from '../json/json-digits.ts';
import { isCentsOf, isSameMoney, moneyDifference, moneyText, toCents } from './money.ts';

const cents = fc.integer({ min: -10_000_000_000, max: 10_000_000_000 });

/** Number of amounts that are also given as JSON numbers, which are slower to read. */
const NUMBERS = 20_000;

function isCents(value: string | number, expected: number): boolean {
  const cents = toCents(value);
  return cents.ok && cents.cents === expected;
}

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

  it('gives the exact cents of every amount to 10,000.00 (rule 14)', () => {
    const wrong: number[] = [];
    for (let whole = 0; whole < 10_000; whole += 1) {
      for (let cent = 0; cent < 100; cent += 1) {
        const value = whole * 100 + cent;
        const text = `${whole}.${cent < 10 ? '0' : ''}${cent}`;
        if (!isCents(text, value)) wrong.push(value);
        if (value < NUMBERS && !isCents(Number(text), value)) wrong.push(value);
      }
    }
    expect(wrong).toEqual([]);
    expect(toCents('10000.00')).toEqual({ ok: true, cents: 1_000_000 });
  });

  it('gives the exact cents of 100,000 amounts above that (rule 14)', () => {
    const above = fc.integer({ min: 1_000_001, max: 100_000_000_000 });
    const wrong = fc.sample(above, { numRuns: 100_000, seed: 14 }).filter((value) => {
      const digits = String(value);
      return !isCents(`${digits.slice(0, -2)}.${digits.slice(-2)}`, value);
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['187.45', 18_745],
    ['19.99', 1_999],
    ['0.29', 29],
    ['1.005', null],
  ])('takes %s for %s cents, as text, as a number and by its digits (rule 14)', (text, expected) => {
    const end = expected === null ? { ok: false, code: 'TOO_MANY_DECIMALS' } : { ok: true, cents: expected };
    for (const value of [text, Number(text), parseWithDigits(text)]) expect(toCents(value)).toEqual(end);
  });

  it('takes the rounded and the truncated cents of an amount for it, and no others (rule 14)', () => {
    const cases: [string, string, boolean][] = [
      ['12.34', '12.345', true],
      ['12.35', '12.345', true],
      ['12.34', '12.344', true],
      ['12.35', '12.344', false],
      ['12.36', '12.345', false],
      ['12.34', '12.34', true],
      ['12.35', '12.34', false],
      ['19.00', '18.9999', true],
    ];
    for (const [cents, amount, expected] of cases)
      expect([cents, amount, isCentsOf(cents, amount)]).toEqual([cents, amount, expected]);
    expect(isCentsOf('12.34', null)).toBe(false);
  });

  it('subtracts exactly', () => {
    expect([moneyDifference('12.40', '12.45'), moneyDifference(0.3, '0.1'), moneyDifference('7', '7.00')]).toEqual([
      '-0.05',
      '0.20',
      '0.00',
    ]);
    expect(moneyDifference(null, '1')).toBeNull();
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
