import { describe, expect, it } from '@jest/globals';
import { Big } from 'big.js';
import { assert, integer, property } from 'fast-check';
import { centsOf, centsText, priceCentsOf, rounded } from './decimal.ts';

describe('decimal arithmetic', () => {
  it.each([
    ['19.99', 1999],
    ['187.45', 18745],
    ['12', 1200],
    ['12.400', 1240],
    ['1e2', 10000],
    ['-0.05', -5],
  ])('reads %s as %d cents', (text, cents) => {
    expect(centsOf(text)).toBe(cents);
  });

  it.each(['1.005', '', 'x', '1.2.3', '0x10', 'NaN', '1e999'])('reads no cents from %j', (text) => {
    expect(centsOf(text)).toBeUndefined();
  });

  it('writes any number of cents so that it reads back', () => {
    assert(
      property(integer({ min: -1e12, max: 1e12 }), (cents) => {
        expect(centsOf(centsText(cents))).toBe(cents);
      }),
    );
  });

  it.each([
    ['0.0399', 3.99],
    ['39.90', 3990],
    ['1.0000000001', 100.00000001],
  ])('reads %s as a price of %d cents, which is written so that it reads back', (text, cents) => {
    expect(priceCentsOf(text)).toBe(cents);
    expect(priceCentsOf(centsText(cents))).toBe(cents);
  });

  it('reads no price of which a digit would be lost', () => {
    expect(priceCentsOf('1.00000000000000001')).toBeUndefined();
  });

  it('rounds halves away from zero', () => {
    expect(['0.5', '-0.5', '0.49'].map((text) => rounded(new Big(text)))).toEqual([1, -1, 0]);
  });
});
