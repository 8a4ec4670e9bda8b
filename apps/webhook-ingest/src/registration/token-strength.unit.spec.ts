import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { tokenWeakness } from './token-strength.ts';

describe('a token that stays for good', () => {
  it.each([
    ['5a1c93f07be24d6888f3e0912bd47c65', 'hex'],
    ['x7Qm2vR9Lk4TzP8sWb3NcY6hJd1FgA5u', 'letters and digits'],
    ['0b9be7b6-1c53-4f0e-9d5a-6a1c2f3e4d5b', 'a GUID'],
  ])('may be %s (%s) (rule 37)', (token) => {
    expect(tokenWeakness(token, 'acme')).toBeNull();
  });

  it.each([
    ['x7Qm2vR9Lk4TzP8sWb3NcY6hJd1FgA5', 'too-short'],
    ['acme-x7Qm2vR9Lk4TzP8sWb3NcY6hJd1FgA5', 'guessable-words'],
    ['ACMEx7Qm2vR9Lk4TzP8sWb3NcY6hJd1FgA5', 'guessable-words'],
    ['the-webhook-of-the-shop-at-the-corner', 'guessable-words'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'too-regular'],
    ['x7Qm2vR9Lk4Tx7Qm2vR9Lk4Tx7Qm2vR9Lk4T', 'too-regular'],
    ['010010101111010010100101010010111010', 'too-regular'],
  ])('may not be %s: %s (rule 37)', (token, weakness) => {
    expect(tokenWeakness(token, 'acme')).toBe(weakness);
  });

  it('is strong with 32 random bytes in hex, whoever the tenant is', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const token = createHash('sha256').update(String(seed)).digest('hex');
        // Five such digits may stand in a row by chance; the token is refused all the same.
        fc.pre(!/12345|abcde/.test(token));
        expect(tokenWeakness(token, 'mercado-central')).toBeNull();
      }),
    );
  });
});
