import { describe, expect, it } from '@jest/globals';
import { isWorthCollecting } from './give-back-memory.ts';

const MB = 2 ** 20;
const IDLE = { elapsedMs: 20_000, processorMs: 160, residentBytes: 300 * MB, leftBytes: 130 * MB };

describe('isWorthCollecting', () => {
  it.each([
    ['an idle process after a load', {}, true],
    ['an idle process after its start', { leftBytes: 0 }, true],
    ['a process that works', { processorMs: 2_000 }, false],
    ['a process that has hardly grown since the last collection', { residentBytes: 140 * MB }, false],
    ['a process that is smaller than after the last collection', { residentBytes: 90 * MB }, false],
    ['a look that came late, since the process was frozen or starved', { elapsedMs: 600_000 }, true],
  ])('of %s', (_of, changed, expected) => {
    expect(isWorthCollecting({ ...IDLE, ...changed })).toBe(expected);
  });
});
