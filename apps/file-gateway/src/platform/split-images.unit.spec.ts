import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { splitUnderLimit } from './split-images.ts';

const OVERHEAD = 10;
const PER_ITEM = 3;
const sizesUnder = (limit: number) => ({ limit, empty: OVERHEAD, of: (size: number) => size + PER_ITEM });
const sizeOf = (items: readonly number[]) => items.reduce((sum, size) => sum + size + PER_ITEM, OVERHEAD);
const SIZES = fc.array(fc.nat({ max: 200 }), { maxLength: 40 });
const LIMIT = fc.integer({ min: 1, max: 500 });

describe('requests of images', () => {
  it('are in their order for any sizes and any limit, none lost and none twice (rule 32)', () => {
    fc.assert(
      fc.property(SIZES, LIMIT, (sizes, limit) => {
        expect(splitUnderLimit(sizes, sizesUnder(limit)).flat()).toEqual(sizes);
      }),
    );
  });

  it('are within any limit, but for an image that is alone over it (rule 32)', () => {
    fc.assert(
      fc.property(SIZES, LIMIT, (sizes, limit) => {
        for (const request of splitUnderLimit(sizes, sizesUnder(limit))) {
          expect(request.length === 1 || sizeOf(request) <= limit).toBe(true);
        }
      }),
    );
  });

  it('are as few as possible: no image fits into the request before its own (rule 32)', () => {
    fc.assert(
      fc.property(SIZES, LIMIT, (sizes, limit) => {
        const requests = splitUnderLimit(sizes, sizesUnder(limit));
        const neighbours = requests.slice(1).map((request, index) => [...requests[index]!, request[0]!]);
        expect(neighbours.every((request) => sizeOf(request) > limit)).toBe(true);
        expect(requests.every((request) => request.length > 0)).toBe(true);
      }),
    );
  });
});
