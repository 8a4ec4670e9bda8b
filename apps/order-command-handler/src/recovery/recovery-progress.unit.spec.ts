import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@gondola/shared/durations';
import { newestNumbers, pauseAfterFailure, type RecoveryRun, shownRecovery } from './recovery-progress.ts';

const START = Date.parse('2026-11-20T13:00:00Z');

const RUN: RecoveryRun = {
  id: '1',
  tenant: 'acme',
  source: 'operator',
  from: 1,
  to: 200,
  candidates: 100,
  found: 10,
  known: 2,
  givenUp: 7,
  unreadable: 1,
  due: 70,
  latestDueAt: null,
  startedAt: new Date(START),
  lookups: 30,
  lastLookupAt: new Date(START + MINUTE_MS),
  finishedAt: null,
};

const shown = (more: Partial<RecoveryRun>) => shownRecovery({ ...RUN, ...more }, 60, START + MINUTE_MS);

describe('the progress of a recovery', () => {
  it('shows the open numbers, their rate, and the estimated end at the tenant’s rate', () => {
    expect(shown({})).toMatchObject({ open: 80, perMinute: 30, estimatedEndAt: '2026-11-20T13:02:10.000Z' });
  });

  it('ends no sooner than the last number that waits is read again', () => {
    const latestDueAt = new Date(START + 60 * MINUTE_MS);
    expect(shown({ latestDueAt })).toMatchObject({ estimatedEndAt: '2026-11-20T14:00:01.000Z' });
  });

  it('has no rate before the second reading, and no estimate after its end', () => {
    expect(shown({ lookups: 0, lastLookupAt: null })).toMatchObject({ perMinute: null });
    const finishedAt = new Date(START + MINUTE_MS);
    expect(shown({ finishedAt })).toMatchObject({ estimatedEndAt: null, finishedAt: '2026-11-20T13:01:00.000Z' });
  });
});

const downFrom = (to: number, count: number) => Array.from({ length: count }, (_, index) => to - index);

describe('the numbers that a scan examines', () => {
  it.each<[string, number[], object | null]>([
    ['the newest ones', downFrom(5_000, 2_000), { from: 4_001, to: 5_000 }],
    ['with gaps as wide as less than a scan', [5_000, 4_001, 3_002], { from: 4_001, to: 5_000 }],
    ['without a number that stands alone', [999_999_999, ...downFrom(5_000, 3)], { from: 4_998, to: 5_000 }],
    ['without two of them', [999_999_999, 999_999_998, ...downFrom(5_000, 3)], { from: 4_998, to: 5_000 }],
    ['without one beside the first order', [999_999_999, 5_000], { from: 5_000, to: 5_000 }],
    ['from where the numbers of the platform went on', [...downFrom(90_002, 3), 5_000], { from: 90_000, to: 90_002 }],
    ['none', [], null],
  ])('are %s', (_, falling, range) => {
    expect(newestNumbers(falling, 1_000)).toEqual(range);
  });
});

describe('the pauses of recovery', () => {
  it('double after each failure, as long as an unknown number at most, and end with the eighth', () => {
    const pauses = [0, 1, 2, 6, 7].map((failures) => pauseAfterFailure(failures, 60 * MINUTE_MS));
    expect(pauses).toEqual([MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS, 60 * MINUTE_MS, null]);
  });
});
