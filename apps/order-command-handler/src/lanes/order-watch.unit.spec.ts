import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS } from '../../test/support/command-settings.ts';
import { at, stateFact } from '../../test/support/facts.ts';
import { missingPaidNotice, nextReadingInMs, orderWatch } from './order-watch.ts';
import { foldFacts } from '../facts/order-state.ts';
import { releaseFact } from '../facts/release.ts';

const NOW = Date.parse('2026-11-20T14:00:00Z');
const AT = new Date(NOW).toISOString();
const SETTINGS = COMMAND_SETTINGS.watch;
const paid = stateFact(300, at(0));
const analysis = stateFact(750, at(1));
const watchOf = (facts: readonly (typeof paid)[]) => orderWatch(foldFacts(facts), null, NOW);

describe('the watch of an order in 750', () => {
  it('is begun by the 750 of a paid order, and by nothing else (rules 5, 7)', () => {
    expect(watchOf([paid, analysis])).toEqual({
      reads: 'status',
      factHash: analysis.hash,
      since: AT,
      at: AT,
      count: 0,
    });
    expect(watchOf([paid])).toBeNull();
    expect(watchOf([analysis])).toBeNull();
    expect(watchOf([stateFact(250, at(0))])).toBeNull();
    expect(watchOf([paid, analysis, stateFact(800, at(2))])).toBeNull();
    expect(orderWatch(null, null, NOW)).toBeNull();
  });

  it('continues as long as the same 750 is the newest fact, and restarts with another', () => {
    const known = { factHash: analysis.hash, at: new Date(NOW - 60_000).toISOString(), count: 3 };
    expect(orderWatch(foldFacts([paid, analysis]), known, NOW)).toBe(known);
    const again = foldFacts([paid, analysis, stateFact(750, at(3))]);
    expect(orderWatch(again, known, NOW)).toMatchObject({ count: 0 });
  });

  it('reads after a minute, then after twice as long each time, up to every hour', () => {
    const pauses = Array.from({ length: 9 }, (_, count) =>
      nextReadingInMs({ factHash: '', at: new Date(NOW).toISOString(), count }, NOW, SETTINGS),
    );
    expect(pauses.map((ms) => ms! / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(nextReadingInMs({ factHash: '', at: new Date(NOW).toISOString(), count: 5_000 }, NOW, SETTINGS)).toBe(
      3_600_000,
    );
  });
});

describe('the watch of an order whose 300 is missing (rule 8)', () => {
  it.each([350, 400, 500, 600, 700, 900])('is begun by %i', (status) => {
    expect(watchOf([stateFact(status, at(1))])).toMatchObject({ reads: 'payload', count: 0 });
  });

  it('is begun by a 1300 alone, and by nothing of which no order is created', () => {
    expect(watchOf([stateFact(1300, at(1))])).toMatchObject({ reads: 'payload' });
    for (const status of [250, 750, 800, 1000, 1100, 1200]) expect(watchOf([stateFact(status, at(1))])).toBeNull();
  });

  it('continues through any status, and ends with a 300 or a release', () => {
    const known = watchOf([stateFact(400, at(1))]);
    expect(orderWatch(foldFacts([stateFact(500, at(2))]), known, NOW + 1)).toBe(known);
    expect(watchOf([paid, stateFact(500, at(2))])).toBeNull();
    expect(watchOf([stateFact(500, at(2)), releaseFact('')])).toBeNull();
  });

  it('reads after two minutes, then ever more rarely, two dozen times', () => {
    const watch = watchOf([stateFact(400, at(1))])!;
    const pauses = [0, 1, 5, 23, 24].map((count) => nextReadingInMs({ ...watch, count }, NOW, SETTINGS));
    expect(pauses).toEqual([120_000, 240_000, 3_600_000, 3_600_000, null]);
  });

  it('asks for somebody once a reading gave no 300', () => {
    const watch = watchOf([stateFact(400, at(1))]);
    expect(missingPaidNotice(watch)).toEqual([]);
    expect(missingPaidNotice({ ...watch!, count: 1 })).toEqual([
      { code: 'PAID_NOTICE_MISSING', since: AT, waitsFor: 'operator' },
    ]);
    expect(missingPaidNotice(watchOf([paid, analysis]))).toEqual([]);
  });
});
