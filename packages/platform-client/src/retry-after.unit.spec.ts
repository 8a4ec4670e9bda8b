import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 20, 13, 15, 0);

describe('Retry-After', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['seconds with spaces around', ' 7 ', 7_000],
    ['an HTTP date', 'Fri, 20 Nov 2026 13:16:30 GMT', 90_000],
  ])('%s is read as milliseconds from now', (_, header, expected) => {
    expect(readRetryAfter(header, NOW)).toBe(expected);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['zero', '0'],
    ['negative', '-5'],
    ['fractional', '1.5'],
    ['a date that is past', 'Fri, 20 Nov 2026 13:14:59 GMT'],
    ['a date without a zone', '2026-11-20T13:16:30'],
    ['words', 'soon'],
    ['endless digits', '9'.repeat(400)],
  ])('%s is ignored', (_, header) => {
    expect(readRetryAfter(header, NOW)).toBeNull();
  });

  it('any text gives a positive number or null, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (text) => {
        const waitMs = readRetryAfter(text, NOW);
        expect(waitMs === null || (waitMs > 0 && Number.isFinite(waitMs))).toBe(true);
      }),
    );
  });

  it('a date written by any HTTP server is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (seconds) => {
        expect(readRetryAfter(new Date(NOW + seconds * 1000).toUTCString(), NOW)).toBe(seconds * 1000);
      }),
    );
  });
});
