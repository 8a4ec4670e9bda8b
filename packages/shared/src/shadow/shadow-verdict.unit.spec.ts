import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';

import { type ShadowRow, VERDICT_KINDS, verdictOf, WHY_NOT } from './shadow-verdict.ts';

const SETTLE_MS = 900_000;
const LEFT_OUT = Date.parse('2026-11-20T13:00:00Z');
const row = (more: Partial<ShadowRow> = {}): ShadowRow => ({
  id: '1',
  tenant: 'acme',
  side: 'gondola',
  route: 'postPrices',
  entity: '1078-1',
  commandId: 'c-1',
  body: '{}',
  leftOutAt: new Date(LEFT_OUT),
  verdict: null,
  isSuperseded: false,
  ...more,
});
const after = (ms: number) => LEFT_OUT + ms;

describe('the verdict of a look at the shop', () => {
  it('is the same within the settle time, and late with its lateness beyond it', () => {
    const seen = (ms: number) =>
      verdictOf(row(), { kind: 'same', seenAt: new Date(after(ms)) }, after(2 * SETTLE_MS), SETTLE_MS);
    expect(seen(-5_000)).toMatchObject({ verdict: 'same', lateMs: null });
    expect(seen(SETTLE_MS)).toMatchObject({ verdict: 'same' });
    expect(seen(SETTLE_MS + 1)).toMatchObject({ verdict: 'late', lateMs: SETTLE_MS + 1, lookAgainMs: null });
  });

  it('without a time is late if an earlier look did not find it', () => {
    const at = after(3 * SETTLE_MS);
    expect(verdictOf(row(), { kind: 'same' }, at, SETTLE_MS)).toMatchObject({ verdict: 'same' });
    const missed = row({ verdict: 'only-gondola' });
    expect(verdictOf(missed, { kind: 'same' }, at, SETTLE_MS)).toMatchObject({
      verdict: 'late',
      lateMs: 3 * SETTLE_MS,
    });
  });

  it('of what a later record replaced is that it cannot be compared', () => {
    const replaced = row({ isSuperseded: true });
    const finding = { kind: 'only-gondola' } as const;
    expect(verdictOf(replaced, finding, after(SETTLE_MS), SETTLE_MS)).toMatchObject({
      verdict: 'not-comparable',
      why: WHY_NOT.superseded,
    });
  });

  it('of what is missing is looked at again after pauses that double, for a day, and then never', () => {
    fc.assert(
      fc.property(fc.integer({ min: SETTLE_MS, max: 200_000_000 }), (ageMs) => {
        const { verdict, lookAgainMs } = verdictOf(row(), { kind: 'only-gondola' }, after(ageMs), SETTLE_MS);
        expect(VERDICT_KINDS).toContain(verdict);
        expect(lookAgainMs).toBe(ageMs > 86_400_000 ? null : Math.min(ageMs, 3_600_000));
      }),
    );
  });
});
