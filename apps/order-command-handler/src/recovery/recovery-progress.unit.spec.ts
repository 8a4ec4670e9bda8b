import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@gondola/shared/durations';
import { type RecoveryRun, shownRecovery } from './recovery-progress.ts';

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
  givenUp: 8,
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
