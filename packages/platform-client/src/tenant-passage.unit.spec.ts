import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  admit,
  type BreakerState,
  DEFAULT_BREAKER_SETTINGS,
  endPause,
  INITIAL_BREAKER_STATE,
  type ScopedEvidence,
  settle,
  waitOf,
} from './circuit-breaker.ts';
import { TenantPassage } from './tenant-passage.ts';

const REFUSED: ScopedEvidence = { scope: 'tenant', evidence: { kind: 'credentials' } };
const ANSWERED: ScopedEvidence = { scope: 'tenant', evidence: { kind: 'answered' } };

describe('the pauses of a tenant', () => {
  it('begin when a breaker opens, stay through failed trial calls, and end with an answer (rule 17)', async () => {
    let now = 1_000;
    const settings = { concurrency: 1, breaker: DEFAULT_BREAKER_SETTINGS, now: () => now, random: () => 0 };
    const passage = new TenantPassage(settings);
    const call = (evidence: ScopedEvidence) =>
      passage.pass(
        'orders',
        async () => null,
        () => evidence,
      );
    expect(passage.pauses()).toEqual([]);
    await call(REFUSED);
    const [first] = passage.pauses();
    expect(first).toMatchObject({ route: null, cause: 'credentials', since: 1_000 });
    now = first!.until;
    await call(REFUSED);
    expect(passage.pauses()).toMatchObject([{ since: 1_000 }]);
    now = passage.pauses()[0]!.until;
    await call(ANSWERED);
    expect(passage.pauses()).toEqual([]);
  });

  it('are ended by an operator: one trial call goes through, and a new `Retry-After` pauses again (rule 17)', async () => {
    const DAY_MS = 86_400_000;
    const throttled: ScopedEvidence = { scope: 'tenant', evidence: { kind: 'throttled', retryAfterMs: DAY_MS } };
    const away: ScopedEvidence = { scope: 'route', evidence: { kind: 'throttled', retryAfterMs: DAY_MS } };
    const property = fc.property(
      fc.array(fc.record({ waitMs: fc.nat(DAY_MS - 1), isOfRoute: fc.boolean() }), { minLength: 1, maxLength: 20 }),
      (pauses) => {
        let now = 1_000;
        let state: BreakerState = INITIAL_BREAKER_STATE;
        for (const { waitMs, isOfRoute } of pauses) {
          const { evidence } = isOfRoute ? away : throttled;
          const [open, admitted] = admit(state, now, DEFAULT_BREAKER_SETTINGS);
          if (admitted.kind !== 'go') throw new Error('no trial call');
          expect(admit(open, now, DEFAULT_BREAKER_SETTINGS)[1].kind).toBe(state.kind === 'closed' ? 'go' : 'wait');
          state = settle(open, admitted.ticket, evidence, now, 0, DEFAULT_BREAKER_SETTINGS);
          now += waitMs;
          expect(waitOf(state, now, DEFAULT_BREAKER_SETTINGS)).toMatchObject({ retryAfterMs: DAY_MS - waitMs });
          state = endPause(state, now);
        }
      },
    );
    fc.assert(property);
    let now = 1_000;
    const passage = new TenantPassage({
      concurrency: 1,
      breaker: DEFAULT_BREAKER_SETTINGS,
      now: () => now,
      random: () => 0,
    });
    const call = (evidence: ScopedEvidence) =>
      passage.pass(
        'orders',
        async () => null,
        () => evidence,
      );
    for (const [pause, route] of [
      [throttled, null],
      [away, 'orders'],
    ] as const) {
      await call(pause);
      now += 60_000;
      expect(await call(ANSWERED)).toMatchObject({ kind: 'blocked', cause: 'throttled' });
      passage.endPause(route === null ? 'orders' : null);
      expect(await call(ANSWERED)).toMatchObject({ kind: 'blocked' });
      passage.endPause(route);
      expect(await call(pause)).toMatchObject({ kind: 'passed' });
      expect(passage.waitMs('orders')).toBe(DAY_MS);
      passage.endPause(route);
      expect(await call(ANSWERED)).toMatchObject({ kind: 'passed' });
      expect(passage.pauses()).toEqual([]);
    }
  });
});
