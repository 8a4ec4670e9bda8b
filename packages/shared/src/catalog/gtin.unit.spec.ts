import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isGtin, isInStoreCode, isNcm } from './gtin.ts';

describe('the check of product codes', () => {
  it('accepts valid GTINs of each length (rule 20)', () => {
    for (const good of ['96385074', '036000291452', '7891000100103', '7897846902086', '17891000100100']) {
      expect(isGtin(good)).toBe(true);
    }
  });

  it('detects any single changed digit (rule 20)', () => {
    fc.assert(
      fc.property(fc.nat(12), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const digits = Array.from('7891000100103', Number);
        digits[at] = ((digits[at] ?? 0) + by) % 10;
        expect(isGtin(digits.join(''))).toBe(false);
      }),
    );
  });

  it('refuses anything else', () => {
    for (const other of [
      '',
      '0',
      'SEM GTIN',
      '789100010010',
      '78910001001031',
      ' 7891000100103',
      '７８９１０００１００１０３',
    ]) {
      expect(isGtin(other)).toBe(false);
    }
  });

  it('recognises a code that starts with 2 as the shop’s own (rule 20)', () => {
    for (const own of ['2000123', '20001234', '200012345678', '2000123456789', '2999999999999']) {
      expect([own, isInStoreCode(own)]).toEqual([own, own !== '2000123']);
    }
    for (const other of ['7891000100103', '22345678901234', '2a001234', '']) expect(isInStoreCode(other)).toBe(false);
  });

  it('accepts exactly eight digits as an NCM (rule 20)', () => {
    expect(isNcm('04061010')).toBe(true);
    for (const other of ['0406.10.10', '0406101', '040610100', 'ABCDEFGH', '']) expect(isNcm(other)).toBe(false);
  });
});
