import { describe, expect, it } from '@jest/globals';
import { atDeadline, doubledMs, hasConsumed, isFresh, isWithinGrace, lookInMs, retrySettings } from './retry.ts';

describe('retrying a command', () => {
  it('looks after a lost answer later with each attempt, and never waits for ever', () => {
    const at = '2026-11-20T10:00:00.000Z';
    const nowMs = Date.parse(at);
    const waits = [1, 2, 3].map((count) => lookInMs({ at }, count, { nowMs, lostAnswerMs: 100 }));
    expect(waits).toEqual([100, 200, 400]);
    expect(lookInMs({ at }, 1, { nowMs: nowMs + 100, lostAnswerMs: 100 })).toBe(0);
    expect(doubledMs(1, 10_000)).toBe(2 ** 20);
    expect(doubledMs(100, 10, 1_000)).toBe(1_000);
  });

  it('reads several times before a deadline, however short it is', () => {
    expect(retrySettings({ deadlineMs: 1_000, lostAnswerMs: 5_000 })).toMatchObject({ lostAnswerMs: 250 });
    expect(retrySettings({ deadlineMs: 60_000, lostAnswerMs: 5_000 })).toMatchObject({
      lostAnswerMs: 5_000,
      readGraceMs: 60_000,
      maxAttempts: 3,
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
