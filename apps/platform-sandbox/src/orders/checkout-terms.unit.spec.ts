import { expect, it } from '@jest/globals';
import { array, assert, double, integer, property } from 'fast-check';
import { apportion } from './checkout-terms.ts';

it('any amount is divided to the cent, and no part exceeds its weight', () => {
  const weights = array(integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 60 });
  assert(
    property(weights, double({ min: 0, max: 1, noNaN: true }), (given, share) => {
      const sum = given.reduce((total, weight) => total + weight, 0);
      const cents = Math.floor(sum * share);
      const parts = apportion(cents, given);
      expect(parts.reduce((total, part) => total + part, 0)).toBe(cents);
      for (const [index, part] of parts.entries()) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(given[index] ?? 0);
      }
    }),
  );
});

it('the remaining cents go to the parts that rounding reduced most', () => {
  expect(apportion(100, [1, 1, 1])).toEqual([34, 33, 33]);
  expect(apportion(5, [1245, 300])).toEqual([4, 1]);
});
