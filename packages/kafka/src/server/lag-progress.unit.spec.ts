import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { type GroupOffsets, lagOf, lastingTransactions, NOTHING_CONSUMED, progressed } from './consumer-lag.ts';

function offsets(end: bigint, committed: bigint, readable = end): GroupOffsets[] {
  return [{ topic: 'erp.orders.commands.v1', partition: 0, low: 0n, end, readable, committed }];
}

describe('the lag of a partition', () => {
  it('counts from the oldest existing record if no offset is committed or the committed one is deleted', () => {
    expect(lagOf({ low: 3n, end: 10n, committed: -1n })).toBe(7n);
    expect(lagOf({ low: 3n, end: 10n, committed: 2n })).toBe(7n);
    expect(lagOf({ low: 3n, end: 10n, committed: 8n })).toBe(2n);
  });

  it('is never negative', () => {
    expect(lagOf({ low: 0n, end: 4n, committed: 9n })).toBe(0n);
  });
});

describe('the progress of a group', () => {
  it('is now if no record is left', () => {
    expect(progressed(NOTHING_CONSUMED, 1_000, offsets(5n, 5n)).consumedUpTo).toBe(1_000);
  });

  it('is unknown until the group has passed the end offsets of the first look', () => {
    const first = progressed(NOTHING_CONSUMED, 1_000, offsets(5n, 2n));
    expect(first.consumedUpTo).toBeNull();
    expect(progressed(first, 2_000, offsets(9n, 4n)).consumedUpTo).toBeNull();
    expect(progressed(first, 2_000, offsets(9n, 5n)).consumedUpTo).toBe(1_000);
  });

  it('advances although the topic is written continuously', () => {
    const looks = [1, 2, 3, 4].map(
      (look) => [look * 1_000, offsets(BigInt(look * 10), BigInt(look * 10 - 5))] as const,
    );
    const last = looks.reduce((progress, [at, seen]) => progressed(progress, at, seen), NOTHING_CONSUMED);
    expect(last.consumedUpTo).toBe(3_000);
  });

  it('does not wait for what an open transaction hides, and then waits for it', () => {
    const open = progressed(NOTHING_CONSUMED, 1_000, offsets(9n, 5n, 5n));
    expect(open.consumedUpTo).toBe(1_000);
    const ended = progressed(open, 2_000, offsets(9n, 5n));
    expect(ended.consumedUpTo).toBe(1_000);
    expect(progressed(ended, 3_000, offsets(9n, 9n)).consumedUpTo).toBe(3_000);
  });

  it('never passes an unconsumed record and never goes back (rule 5)', () => {
    const step = fc.record({ written: fc.integer({ min: 0, max: 5 }), consumed: fc.integer({ min: 0, max: 5 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let progress = NOTHING_CONSUMED;
        let [end, committed] = [0n, 0n];
        const endAt: bigint[] = [];
        for (const [at, { written, consumed }] of steps.entries()) {
          end += BigInt(written);
          const next = committed + BigInt(consumed);
          committed = next < end ? next : end;
          endAt.push(end);
          const before = progress.consumedUpTo ?? -1;
          progress = progressed(progress, at, offsets(end, committed));
          const upTo = progress.consumedUpTo ?? -1;
          expect(upTo).toBeGreaterThanOrEqual(before);
          expect(upTo < 0 || endAt[upTo]! <= committed).toBe(true);
        }
      }),
    );
  });
});

describe('a transaction', () => {
  it('lasts if it begins where one began before, and not if that one has ended', () => {
    expect(lastingTransactions([], offsets(9n, 5n, 5n))).toEqual([]);
    expect(lastingTransactions(offsets(7n, 5n, 5n), offsets(9n, 5n, 5n))).toEqual(offsets(9n, 5n, 5n));
    expect(lastingTransactions(offsets(7n, 5n, 5n), offsets(9n, 8n, 8n))).toEqual([]);
  });
});
