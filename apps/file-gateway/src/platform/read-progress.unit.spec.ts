import { describe, expect, it } from '@jest/globals';
import { afterFailedRead, type ReadProgress, readProgressFromText } from './read-progress.ts';

const NOW = Date.parse('2026-11-20T13:00:00.000Z');
const START = readProgressFromText(null);
const failed = (progress: ReadProgress, cause: string, elapsedMs = 0, retryAfterMs = 10) =>
  afterFailedRead(progress, { cause, retryAfterMs }, { nowMs: NOW + elapsedMs, deadlineMs: 60_000 });

describe('a reading that gave nothing', () => {
  it('is repeated at growing intervals, and ends at the deadline', () => {
    const first = failed(START, 'timeout');
    expect(first).toMatchObject({ kind: 'again', ms: 1_000, progress: { tries: 1, blocked: 'timeout' } });
    const second = first.kind === 'again' ? failed(first.progress, 'server-error', 5_000) : first;
    expect(second).toMatchObject({ kind: 'again', ms: 2_000, progress: { tries: 2 } });
    expect(second.kind === 'again' && failed(second.progress, 'timeout', 60_000)).toEqual({ kind: 'silent' });
  });

  it('waits for as long as it has to where the platform was not asked (rule 17)', () => {
    const tried: ReadProgress = { failingSince: new Date(NOW).toISOString(), tries: 3, blocked: null };
    expect(failed(tried, 'credentials', 600_000, 7_000)).toMatchObject({
      kind: 'again',
      ms: 7_000,
      progress: { tries: 3, blocked: 'credentials' },
    });
  });
});
