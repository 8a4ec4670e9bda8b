import { describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@gondola/shared/durations';
import { type CountedLoad, type Load, shownLoad } from './load-progress.ts';

const START = Date.parse('2026-11-20T13:00:00Z');

const LOAD: Load = {
  id: '1',
  tenant: 'acme',
  loadId: 'first',
  source: 'file',
  startedAt: new Date(START),
  recordKind: 'product',
  digest: null,
  expected: 2_000,
  taken: 1_000,
  repeated: 5,
  unreadable: 3,
};

const COUNTED: CountedLoad = {
  load: LOAD,
  commands: {
    states: { queued: 400, waiting: 60, sent: 32, applied: 450, invalid: 40, refused: 8 },
    lastMinute: 120,
    lastFinishedAt: new Date(START + 90_000),
  },
  conflicts: 2,
  unqueued: 0,
};

const shown = (more: Partial<CountedLoad> = {}, nowMs = START + 10 * MINUTE_MS) =>
  shownLoad({ ...COUNTED, ...more }, nowMs);

describe('the progress of a load', () => {
  it('adds up: every record that was taken is in one state', () => {
    const load = shown();
    expect(load.counts).toMatchObject({ invalid: 42, repeated: 5, unreadable: 3, superseded: 0 });
    expect([load.total, load.taken]).toEqual([1_000, 1_000]);
  });

  it('is open by what was not handed over, too, and ends at the rate of the last minute', () => {
    expect(shown()).toMatchObject({
      open: 1_492,
      perMinute: 120,
      finishedAt: null,
      estimatedEndAt: '2026-11-20T13:22:26.000Z',
    });
  });

  it('has the rate of its whole life while that is shorter than a minute', () => {
    expect(shown({}, START + 30_000).perMinute).toBe(240);
    expect(shown({}, START).perMinute).toBe(7_200);
  });

  it('has no estimated end where nothing ends', () => {
    const commands = { ...COUNTED.commands, lastMinute: 0 };
    expect(shown({ commands })).toMatchObject({ perMinute: 0, estimatedEndAt: null });
  });

  it('has ended when its last record has, and nothing is open', () => {
    const commands = { ...COUNTED.commands, states: { applied: 1_990 } };
    const load = { ...LOAD, taken: 2_000 };
    expect(shown({ load, commands, conflicts: 2 })).toMatchObject({
      open: 0,
      total: 2_000,
      finishedAt: '2026-11-20T13:01:30.000Z',
      estimatedEndAt: null,
    });
  });

  it('of a resend counts records that are in no queue yet', () => {
    const load: Load = { ...LOAD, source: 'resend', expected: 1_500, taken: 0, repeated: 0, unreadable: 0 };
    expect(shown({ load, conflicts: 0, unqueued: 510 })).toMatchObject({
      counts: { queued: 910 },
      total: 1_500,
      open: 1_002,
    });
  });
});
