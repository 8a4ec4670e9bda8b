import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { backoffMs, doubledMs } from './backoff.ts';

describe('backoffMs', () => {
  it('never waits for ever', () => {
    expect(doubledMs(1, 10_000)).toBe(2 ** 30);
    expect(doubledMs(100, 10, 1_000)).toBe(1_000);
  });

  it('doubles from the base to the maximum, at the top of its jitter', () => {
    const backoff = { baseMs: 100, maxMs: 1_000 };
    expect([1, 2, 3, 4, 5, 99].map((failures) => backoffMs(backoff, failures, 1))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });

  it('lies between half and all of the full time, for any number of failures', () => {
    const backoff = { baseMs: 1_000, maxMs: 300_000 };
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.nat(2_000_000_000), random, (failures, r) => {
        const full = backoffMs(backoff, failures, 1);
        const ms = backoffMs(backoff, failures, r);
        expect(ms).toBeGreaterThanOrEqual(full / 2);
        expect(ms).toBeLessThanOrEqual(full);
      }),
    );
  });
});
