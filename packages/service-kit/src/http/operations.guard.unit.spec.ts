import { describe, expect, it } from '@jest/globals';
import { showsToken } from './operations.guard.ts';

describe('showsToken', () => {
  const token = 'operations-token';
  it.each([
    ['the token', `Bearer ${token}`, true],
    ['the token with the scheme in another case', `bearer  ${token} `, true],
    ['another token', 'Bearer operations-toke', false],
    ['a longer one', `Bearer ${token}x`, false],
    ['no scheme', token, false],
    ['another scheme', `Basic ${token}`, false],
    ['nothing', undefined, false],
    ['an empty one', 'Bearer ', false],
  ])('recognizes %s', (_what, authorization, expected) => {
    expect(showsToken(token, authorization === undefined ? {} : { authorization })).toBe(expected);
  });
});
