import { describe, expect, it } from '@jest/globals';
import { percentile } from './percentile.ts';

describe('a percentile', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);

  it('is a value that occurred, which that share does not exceed', () => {
    expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([100, 198, 200]);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('of no values does not exist', () => {
    expect(percentile([], 0.99)).toBeNaN();
  });
});
