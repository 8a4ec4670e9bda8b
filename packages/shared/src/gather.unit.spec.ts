import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { gatherMs } from './gather.ts';

const BOUNDS = { few: 8, many: 100, mostMs: 200 };

describe('the wait for more work', () => {
  it('is twice as long as the batch before took', () => {
    expect(gatherMs(8, 5, BOUNDS)).toBe(10);
    expect(gatherMs(99, 60, BOUNDS)).toBe(120);
  });

  it('is none after a few pieces of work, and none after many', () => {
    expect(gatherMs(7, 50, BOUNDS)).toBe(0);
    expect(gatherMs(100, 50, BOUNDS)).toBe(0);
  });

  it('has a bound, after any batch', () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.double({ min: 0, max: 1e9, noNaN: true }), (count, tookMs) => {
        const ms = gatherMs(count, tookMs, BOUNDS);
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(BOUNDS.mostMs);
      }),
    );
  });
});
