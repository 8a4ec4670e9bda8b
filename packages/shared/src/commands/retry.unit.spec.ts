import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { againInMs, atDeadline, hasConsumed, isFresh, isWithinGrace, lookInMs, retrySettings } from './retry.ts';

describe('retrying a command', () => {
  it('looks soon after a lost answer', () => {
    const at = '2026-11-20T10:00:00.000Z';
    const nowMs = Date.parse(at);
    expect(lookInMs({ at }, { nowMs, lostAnswerMs: 100 })).toBe(100);
    expect(lookInMs({ at }, { nowMs: nowMs + 100, lostAnswerMs: 100 })).toBe(0);
  });

  it('reads several times before a deadline, however short it is', () => {
    expect(retrySettings({ deadlineMs: 1_000, lostAnswerMs: 5_000 })).toMatchObject({ lostAnswerMs: 250 });
    expect(retrySettings({ deadlineMs: 60_000, lostAnswerMs: 5_000 })).toMatchObject({
      lostAnswerMs: 5_000,
      readGraceMs: 60_000,
      maxAttempts: 3,
    });
  });

  describe('whose answers are lost', () => {
    const START_MS = Date.parse('2026-11-20T10:00:00.000Z');
    /** Times of all attempts since the first, in milliseconds, if each answer is lost and no repeat is late. */
    const timesOf = (most: number, settings: { deadlineMs: number; lostAnswerMs: number }) => {
      const attempts = [{ at: new Date(START_MS).toISOString() }];
      for (let nowMs = START_MS; ;) {
        const inMs = againInMs(attempts, most, { nowMs, ...settings });
        if (inMs === Infinity) return attempts.map(({ at }) => Date.parse(at) - START_MS);
        nowMs += Math.ceil(Math.max(inMs, 0));
        attempts.push({ at: new Date(nowMs).toISOString() });
      }
    };

    const seconds = (most: number, deadlineMs: number) =>
      timesOf(most, { deadlineMs, lostAnswerMs: 5_000 }).map((ms) => ms / 1_000);

    it('repeats soon, then with doubling pauses, and begins the last third of the deadline with the last attempt', () => {
      expect(seconds(Infinity, 900_000)).toEqual([0, 5, 15, 35, 75, 155, 315, 600]);
      expect(seconds(3, 3_600_000)).toEqual([0, 5, 2_400]);
      expect(seconds(3, 30_000)).toEqual([0, 5, 20]);
    });

    it('with any deadline makes its last attempt in the last third, and no counted call too often', () => {
      const settings = fc.record({
        deadlineMs: fc.integer({ min: 1_000, max: 86_400_000 }),
        lostAnswerMs: fc.integer({ min: 10, max: 60_000 }),
      });
      const cases = fc.property(settings, fc.constantFrom(3, Infinity), ({ deadlineMs, ...rest }, most) => {
        const lostAnswerMs = retrySettings({ deadlineMs, ...rest }).lostAnswerMs;
        const times = timesOf(most, { deadlineMs, lostAnswerMs });
        const last = times.at(-1)!;
        expect(last).toBeGreaterThanOrEqual((deadlineMs * 2) / 3);
        expect(last).toBeLessThanOrEqual((deadlineMs * 2) / 3 + 1);
        expect(times.length).toBeLessThanOrEqual(Math.min(most, 3 + Math.log2(deadlineMs / lostAnswerMs)));
        expect(times[1]).toBeGreaterThanOrEqual(Math.floor(lostAnswerMs));
        const pauses = times.slice(1, -1).map((ms, index) => ms - times[index]!);
        expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
      });
      fc.assert(cases);
    });
  });

  it('decides by no reading that is older than it may be', () => {
    const nowMs = Date.parse('2026-11-20T10:00:10.000Z');
    expect(isFresh({ at: '2026-11-20T10:00:00.000Z' }, nowMs, 10_000)).toBe(true);
    expect(isFresh({ at: '2026-11-20T10:00:00.000Z' }, nowMs + 1, 10_000)).toBe(false);
  });
});

const step = (deadlineInMs: number | null, more: { isBehind?: boolean; hasRead?: boolean } = {}) =>
  atDeadline({ deadlineInMs, isBehind: more.isBehind ?? false, hasRead: more.hasRead ?? false }, 1_000);

describe('the deadline of a command', () => {
  it('has not come while there is time, and before the first attempt', () => {
    expect([step(null), step(1)]).toEqual(['open', 'open']);
  });

  it('ends nothing before what was written until then is stored (rule 5)', () => {
    expect(step(0, { isBehind: true })).toBe('catch-up');
    expect(step(-5_000, { isBehind: true, hasRead: true })).toBe('catch-up');
    expect([hasConsumed(null, 5), hasConsumed(4, 5), hasConsumed(5, 5)]).toEqual([false, false, true]);
  });

  it('ends nothing before the platform was read once more, or could not be for the grace', () => {
    expect(step(0)).toBe('read');
    expect(step(-999)).toBe('read');
    expect(step(0, { hasRead: true })).toBe('over');
    expect(step(-1_000)).toBe('over');
    const late = { deadlineInMs: -5_000, isBehind: false, hasRead: false };
    expect(atDeadline({ ...late, hasFailed: false }, 1_000)).toBe('read');
    expect(atDeadline({ ...late, hasFailed: true }, 1_000)).toBe('over');
    expect([isWithinGrace(null, 10), isWithinGrace(5, 10), isWithinGrace(-10, 10)]).toEqual([true, true, false]);
  });
});
