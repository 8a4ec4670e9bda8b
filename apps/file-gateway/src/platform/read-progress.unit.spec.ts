import { describe, expect, it } from '@jest/globals';
import { afterFailedRead, hasFailedFor, type ReadProgress, readProgressFromText } from './read-progress.ts';

const NOW = Date.parse('2026-11-20T13:00:00.000Z');
const DEADLINE_MS = 60_000;
const START = readProgressFromText(null);
const failed = (progress: ReadProgress, cause: string, elapsedMs = 0, retryAfterMs = 10) =>
  afterFailedRead(progress, { cause, retryAfterMs }, NOW + elapsedMs);
const isOver = (progress: ReadProgress, elapsedMs: number) => hasFailedFor(progress, DEADLINE_MS, NOW + elapsedMs);

describe('a reading that gave nothing', () => {
  it('is repeated at growing intervals, and has failed for the deadline some time', () => {
    const first = failed(START, 'timeout');
    expect(first).toMatchObject({ ms: 1_000, progress: { tries: 1, blocked: 'timeout' } });
    const second = failed(first.progress, 'server-error', 5_000);
    expect(second).toMatchObject({ ms: 2_000, progress: { tries: 2 } });
    expect([isOver(second.progress, 59_999), isOver(second.progress, DEADLINE_MS)]).toEqual([false, true]);
  });

  it('waits for as long as it has to where the platform was not asked (rule 17)', () => {
    const tried: ReadProgress = { failingSince: new Date(NOW).toISOString(), tries: 3, blocked: null };
    const next = failed(tried, 'credentials', 600_000, 7_000);
    expect(next).toMatchObject({ ms: 7_000, progress: { tries: 3, blocked: 'credentials' } });
    expect(isOver(next.progress, 600_000)).toBe(false);
  });
});
