import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isAccessKey, isBarCode, isGtin, isInStoreCode, isNcm, NO_GTIN } from './trade-codes.ts';

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

  it('takes a GTIN or a code of the shop for a bar code that identifies goods, and no other text (rules 11, 29)', () => {
    for (const code of ['7891000100103', '96385074', '2000123456789']) expect(isBarCode(code)).toBe(true);
    for (const other of [NO_GTIN, '', '0', '7891000100104', 'ISENTO', null, undefined, 7891000100103]) {
      expect(isBarCode(other)).toBe(false);
    }
  });

  it('accepts exactly eight digits as an NCM (rule 20)', () => {
    expect(isNcm('04061010')).toBe(true);
    for (const other of ['0406.10.10', '0406101', '040610100', 'ABCDEFGH', '']) expect(isNcm(other)).toBe(false);
  });
});

// From the sample of the NF-e manual, and one with letters in the issuer's CNPJ.
const KNOWN = ['52060433009911002506550120000007800267301615'];

describe('the access key of an NF-e', () => {
  it.each(KNOWN)('%s is one', (key) => {
    expect(isAccessKey(key)).toBe(true);
  });

  it('has exactly one check digit for any 43 digits, letters of a CNPJ included', () => {
    const body = fc.tuple(
      fc.stringMatching(/^\d{6}$/),
      fc.stringMatching(/^[0-9A-Z]{12}$/),
      fc.stringMatching(/^\d{25}$/),
    );
    fc.assert(
      fc.property(body, (parts) => {
        const fitting = Array.from('0123456789').filter((digit) => isAccessKey(parts.join('') + digit));
        expect(fitting).toHaveLength(1);
      }),
    );
  });

  it('notices any single wrong digit', () => {
    const [key = ''] = KNOWN;
    for (let place = 0; place < 43; place += 1) {
      const changed = String((Number(key[place]) + 1) % 10);
      const wrong = key.slice(0, place) + changed + key.slice(place + 1);
      expect([place, isAccessKey(wrong)]).toEqual([place, isFolded(wrong)]);
    }
  });

  it.each(['', '1', '5206 0433 0099 1100 2506 5501 2000 0007 8002 6730 1615', 43, null, undefined])(
    '%j is none',
    (key) => {
      expect(isAccessKey(key)).toBe(false);
    },
  );
});

/** The remainders 0 and 1 share the digit 0, so the rule itself does not detect some changes. */
function isFolded(key: string): boolean {
  const sum = Array.from(key.slice(0, -1))
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0);
  return key.endsWith('0') && sum % 11 < 2;
}
