import { describe, expect, it } from '@jest/globals';
import { clockLeadMs } from './clock-lead.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

describe("the lead of Gondola's clock", () => {
  it.each([
    ['nothing that whole seconds explain', { began: NOON + 999, tookMs: 20, platformMs: NOON }, 0],
    ['nothing that the duration of the call explains', { began: NOON - 9_000, tookMs: 9_500, platformMs: NOON }, 0],
    ['what neither explains', { began: NOON + 8_000, tookMs: 20, platformMs: NOON }, 7_000],
    ['negative where the clock is behind', { began: NOON - 8_000, tookMs: 20, platformMs: NOON }, -7_980],
  ])('is %s', (_, clocks, leadMs) => {
    expect(clockLeadMs(clocks)).toBe(leadMs);
  });
});
