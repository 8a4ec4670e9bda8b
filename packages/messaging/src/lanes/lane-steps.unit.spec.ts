import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { splitIntoSteps } from './lane-steps.ts';
import type { ClaimedLane } from './lanes.ts';

function lane(id: number, failures: number): ClaimedLane {
  return { id: String(id), epoch: '1', tenant: 't', kind: 'product', identity: String(id), failures };
}

function sizes(failures: readonly number[], batchSize: number): number[] {
  const lanes = failures.map((count, index) => lane(index, count));
  return splitIntoSteps(lanes, batchSize).map((batch) => batch.length);
}

describe('splitIntoSteps', () => {
  it('keeps lanes that never failed together', () => {
    expect(sizes(Array<number>(100).fill(0), 100)).toEqual([100]);
  });

  it('divides a batch by four at each failure, until each lane is alone', () => {
    expect(sizes(Array<number>(100).fill(1), 100)).toEqual([25, 25, 25, 25]);
    expect(sizes(Array<number>(12).fill(2), 100)).toEqual([6, 6]);
    expect(sizes([3, 3, 9], 100)).toEqual([1, 1, 1]);
  });

  it('puts each lane into exactly one step, only with lanes of the same failure history, within the maximum step size', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(6), { maxLength: 200 }), fc.integer({ min: 1, max: 200 }), (failures, batchSize) => {
        const lanes = failures.map((count, index) => lane(index, count));
        const steps = splitIntoSteps(lanes, batchSize);
        expect(steps.flat().toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual(lanes);
        for (const step of steps) {
          expect(new Set(step.map((each) => each.failures)).size).toBe(1);
          expect(step.length).toBeLessThanOrEqual(batchSize);
        }
      }),
    );
  });
});
