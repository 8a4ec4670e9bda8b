import { HOUR_MS, MINUTE_MS } from '@gondola/shared/durations';
import { describe, expect, it } from '@jest/globals';
import { sessionStep } from './session-age.ts';

const BEGIN = Date.UTC(2026, 10, 26, 8);

/** Times in milliseconds after the session began. */
function step(now: number, { rotated = now, seen = now, isPrevious = false } = {}): string {
  const at = (ms: number) => new Date(BEGIN + ms);
  const times = { createdAt: at(0), rotatedAt: at(rotated), seenAt: at(seen) };
  return sessionStep(times, { isPrevious, now: BEGIN + now });
}

describe('a session', () => {
  it('ends after 8 hours without a call, and 24 hours after it began in any case', () => {
    expect(step(8 * HOUR_MS, { seen: 1 })).not.toBe('over');
    expect(step(8 * HOUR_MS, { seen: 0 })).toBe('over');
    expect(step(24 * HOUR_MS - 1)).toBe('none');
    expect(step(24 * HOUR_MS)).toBe('over');
  });

  it('gets a new token every 15 minutes, and its use is noted once a minute', () => {
    expect(step(15 * MINUTE_MS, { rotated: 0 })).toBe('rotate');
    expect(step(15 * MINUTE_MS - 1, { rotated: 0 })).toBe('none');
    expect(step(5 * MINUTE_MS, { rotated: 0, seen: 4 * MINUTE_MS })).toBe('see');
  });

  it('is known by the token from before for a minute, which replaces nothing', () => {
    expect(step(16 * MINUTE_MS - 1, { rotated: 15 * MINUTE_MS, isPrevious: true })).toBe('none');
    expect(step(16 * MINUTE_MS, { rotated: 15 * MINUTE_MS, isPrevious: true })).toBe('over');
  });
});
