import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isAccessKey } from './access-key.ts';

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
