import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';

import type { ClaimedLane } from './lanes.ts';
import { splitIntoSteps, StepBatch } from './step-batch.ts';

const LEASE_MS = 1_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function batchAskedFor(agoMs = 0): StepBatch {
  return new StepBatch([], LEASE_MS, performance.now() - agoMs);
}

describe('the lanes of a step', () => {
  it('are given up before their lease ends', async () => {
    const { signal } = batchAskedFor();
    await jest.advanceTimersByTimeAsync(0.7 * LEASE_MS);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(0.2 * LEASE_MS);
    expect(signal.reason).toEqual(new Error('The lease could not be renewed'));
  });

  it('are given up by the time at which the lease was asked for, however late its answer came', async () => {
    const { signal } = batchAskedFor(0.7 * LEASE_MS);
    expect(signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(0.2 * LEASE_MS);
    expect(signal.aborted).toBe(true);
    expect(batchAskedFor(0.9 * LEASE_MS).signal.aborted).toBe(true);
  });

  it('stay for one more lease after each renewal', async () => {
    const batch = batchAskedFor();
    for (let renewals = 0; renewals < 5; renewals += 1) {
      await jest.advanceTimersByTimeAsync(0.7 * LEASE_MS);
      batch.renewed(performance.now() - 0.3 * LEASE_MS);
      await jest.advanceTimersByTimeAsync(0.3 * LEASE_MS);
      batch.renewed(performance.now());
    }
    expect(batch.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(0.9 * LEASE_MS);
    expect(batch.signal.aborted).toBe(true);
  });

  it('are not given up after the end of their step', async () => {
    const batch = batchAskedFor();
    batch.close();
    await jest.advanceTimersByTimeAsync(2 * LEASE_MS);
    expect(batch.signal.aborted).toBe(false);
  });
});

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
