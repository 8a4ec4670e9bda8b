import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { StepBatch } from './step-batch.ts';

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
