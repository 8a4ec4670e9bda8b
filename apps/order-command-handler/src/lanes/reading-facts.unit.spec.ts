import { describe, expect, it } from '@jest/globals';
import { at, stateFact } from '../../test/support/facts.ts';
import { compareRecency, type OrderFact } from '../facts/order-fact.ts';
import { statusReadingFact } from './reading-facts.ts';

type Times = Pick<Parameters<typeof statusReadingFact>[0], 'askedAt' | 'beganAtMs' | 'known'>;

function reading(times: Times) {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  return statusReadingFact({ tenant: 'acme', orderNumber: '1', status: 400, traceparent, ...times });
}

/** A reading asked at the platform's local time `minute` minutes after ten, which both clocks show. */
function readingAt(minute: number, known: readonly OrderFact[]) {
  const askedAt = `${at(minute)}.000-03:00`;
  return reading({ askedAt, beganAtMs: Date.parse(askedAt), known });
}

describe('a reading of the status', () => {
  it('is newer than all facts known when it was requested, even if our clock is behind (rule 9)', () => {
    const known = [stateFact(300, at(5)), stateFact(500, at(30)), stateFact(800, null)];
    for (const fact of known) expect(compareRecency(readingAt(10, known), fact)).toBeGreaterThan(0);
  });

  it('outlives what happened before it and arrives later (rule 9)', () => {
    expect(compareRecency(readingAt(10, [stateFact(300, at(0))]), stateFact(400, at(9)))).toBeGreaterThan(0);
  });

  it('does not outlive what happens after it, however far our clock is ahead (rule 9)', () => {
    const later = stateFact(800, `${at(1)}.001`);
    for (const askedAt of [`${at(30)}.000-03:00`, '2036-11-20T10:30:00.000-03:00'])
      for (const beganAtMs of [Date.parse(`${at(1)}.000-03:00`), null])
        expect(compareRecency(reading({ askedAt, beganAtMs, known: [stateFact(300, at(0))] }), later)).toBeLessThan(0);
  });

  it('is dated by the newest known fact where the platform does not say its time (rule 9)', () => {
    const known = [stateFact(300, at(5)), stateFact(400, at(7))];
    expect(reading({ askedAt: `${at(30)}.000-03:00`, beganAtMs: null, known }).ticks).toBe(known[1]!.ticks! + 1n);
  });

  it('is one fact with itself only', () => {
    expect(readingAt(10, []).dedupKey).toBe('acme:read:1:status:2026-11-20T10:10:00.000-03:00:400');
    expect(readingAt(10, []).hash).not.toBe(readingAt(11, []).hash);
  });
});
