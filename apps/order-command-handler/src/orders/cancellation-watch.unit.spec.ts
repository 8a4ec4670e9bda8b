import { describe, expect, it } from '@jest/globals';
import { at, stateFact } from '../../test/support/facts.ts';
import { cancellationWatch, nextReadingInMs } from './cancellation-watch.ts';
import { foldFacts } from './order-state.ts';

const NOW = Date.parse('2026-11-20T14:00:00Z');
const SETTINGS = { firstMs: 60_000, longestMs: 3_600_000 };
const paid = stateFact(300, at(0));
const analysis = stateFact(750, at(1));
const watchOf = (facts: readonly (typeof paid)[]) => cancellationWatch(foldFacts(facts), null, NOW);

describe('the watch of an order in 750', () => {
  it('is begun by the 750 of a paid order, and by nothing else (rules 5, 7)', () => {
    expect(watchOf([paid, analysis])).toEqual({ factHash: analysis.hash, at: new Date(NOW).toISOString(), count: 0 });
    expect(watchOf([paid])).toBeNull();
    expect(watchOf([analysis])).toBeNull();
    expect(watchOf([paid, analysis, stateFact(800, at(2))])).toBeNull();
    expect(cancellationWatch(null, null, NOW)).toBeNull();
  });

  it('goes on as long as the same 750 is the newest fact, and begins anew with another', () => {
    const known = { factHash: analysis.hash, at: new Date(NOW - 60_000).toISOString(), count: 3 };
    expect(cancellationWatch(foldFacts([paid, analysis]), known, NOW)).toBe(known);
    const again = foldFacts([paid, analysis, stateFact(750, at(3))]);
    expect(cancellationWatch(again, known, NOW)).toMatchObject({ count: 0 });
  });

  it('reads after a minute, then after twice as long each time, up to every hour', () => {
    const pauses = Array.from({ length: 9 }, (_, count) =>
      nextReadingInMs({ factHash: '', at: new Date(NOW).toISOString(), count }, NOW, SETTINGS),
    );
    expect(pauses.map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(nextReadingInMs({ factHash: '', at: new Date(NOW).toISOString(), count: 5_000 }, NOW, SETTINGS)).toBe(
      3_600_000,
    );
  });
});
