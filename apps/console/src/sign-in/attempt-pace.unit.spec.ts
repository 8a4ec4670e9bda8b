import { describe, expect, it } from '@jest/globals';
import { afterAttempt, type AttemptPace, waitMs } from './attempt-pace.ts';

/** Waits before each further attempt, if each comes as soon as it is heard and fails. */
function waitsOf(attempts: number): number[] {
  let now = 1_000_000;
  let pace: AttemptPace | undefined;
  return Array.from({ length: attempts }, () => {
    pace = afterAttempt(pace, now);
    const wait = waitMs(pace, now);
    now += wait;
    return wait;
  });
}

describe('the pace of attempts to sign in', () => {
  it('hears three in the first second, then each after twice the time of the one before, up to 30 s', () => {
    expect(waitsOf(11)).toEqual([0, 0, 1_002, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('forgets after a quarter of an hour without an attempt', () => {
    const pace: AttemptPace = { failures: 9, nextAt: 30_000, lastAt: 0 };
    expect(afterAttempt(pace, 15 * 60_000)).toMatchObject({ failures: 1 });
    expect(afterAttempt(pace, 15 * 60_000 - 1)).toMatchObject({ failures: 10 });
  });
});
