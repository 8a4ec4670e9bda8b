import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '../logging/logger.ts';
import { StopDeadline } from './start-sequence.ts';

const LIMIT_MS = 1_000;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const never = () => new Promise<void>(() => {});
const quick = () => Promise.resolve();
const slow = () => new Promise<void>((resolve) => void setTimeout(resolve, LIMIT_MS / 2));

/** Runs the steps one after the other; returns the total time and the names of abandoned steps. */
async function takenBy(
  steps: readonly (() => Promise<void>)[],
): Promise<{ ms: number; leftBehind: readonly string[] }> {
  const logger = createLogger({ app: 'kit', level: 'error', destination: { write: () => undefined } });
  const deadline = new StopDeadline({ limitMs: LIMIT_MS, steps: steps.length, logger });
  const startedAt = performance.now();
  const all = async (): Promise<number> => {
    for (const [index, step] of steps.entries()) await deadline.step(`step ${index}`, step);
    return performance.now() - startedAt;
  };
  const taken = all();
  await jest.advanceTimersByTimeAsync(2 * LIMIT_MS);
  return { ms: await taken, leftBehind: deadline.leftBehind };
}

describe('the deadline of a shutdown', () => {
  it('passes before the limit although no step ends, and after each step had its turn', async () => {
    const { ms, leftBehind } = await takenBy([never, never, never, never]);
    expect(ms).toBeLessThan(LIMIT_MS);
    expect(leftBehind).toEqual(['step 0', 'step 1', 'step 2', 'step 3']);
  });

  it('gives the unused time of other steps to the one that needs it', async () => {
    const { ms, leftBehind } = await takenBy([quick, slow, quick]);
    expect(ms).toBe(LIMIT_MS / 2);
    expect(leftBehind).toEqual([]);
  });
});
