import { describe, expect, it } from '@jest/globals';
import type { Attempt, AttemptAnswer } from './attempts.ts';
import { landsUntilMs, laterEndAt, lateCallMs, lostCallEndMs } from './late-calls.ts';

const TIMEOUT_MS = 30_000;
const START_MS = Date.parse('2026-11-20T10:00:00Z');

function at(ms: number): string {
  return new Date(START_MS + ms).toISOString();
}

function attempt(ms: number, answer: AttemptAnswer): Attempt {
  return { at: at(ms), answer };
}

describe('calls whose answer was lost', () => {
  it('end with their failure, and at their time-out if a crash cut them off or an earlier version stored them (rule 16)', () => {
    const failed = attempt(0, { kind: 'unknown', cause: 'timeout', at: at(7_000) });
    expect(lostCallEndMs([failed], TIMEOUT_MS)).toBe(START_MS + 7_000);
    for (const answer of [{ kind: 'pending' }, { kind: 'unknown', cause: 'timeout' }] as const) {
      expect(lostCallEndMs([failed, attempt(1_000, answer)], TIMEOUT_MS)).toBe(START_MS + 1_000 + TIMEOUT_MS);
    }
  });

  it('are none that were answered (rule 16)', () => {
    const accepted = attempt(0, { kind: 'accepted', operationId: 'op' });
    expect(lostCallEndMs([accepted, attempt(1, { kind: 'refused', status: 400, message: '' })], TIMEOUT_MS)).toBeNull();
    expect(lostCallEndMs([], TIMEOUT_MS)).toBeNull();
  });

  it('are remembered by the end of the newest (rule 16)', () => {
    expect(laterEndAt(null, null)).toBeNull();
    expect(laterEndAt(null, START_MS)).toBe(at(0));
    expect(laterEndAt(at(0), null)).toBe(at(0));
    expect(laterEndAt(at(0), START_MS + 1)).toBe(at(1));
    expect(laterEndAt(at(2), START_MS + 1)).toBe(at(2));
  });

  it('may take effect for three time-outs after their end (rule 16)', () => {
    expect(landsUntilMs(at(0), TIMEOUT_MS)).toBe(START_MS + 90_000);
    expect(landsUntilMs(null, TIMEOUT_MS)).toBe(-Infinity);
    expect(lateCallMs(TIMEOUT_MS)).toBe(120_000);
  });
});
