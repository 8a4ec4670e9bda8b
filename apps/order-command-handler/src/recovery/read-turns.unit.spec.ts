import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterRead, judgeOrder, pauseAfterLook } from './quiet-order.ts';
import { afterTurn, isEldestsTurn, nextKind, NO_TURNS, type ReadKind, READS } from './read-turns.ts';

/** Times in reads: the tenant's rate is one in each unit. Above 360 open orders the old ones alone take all of it. */
const QUIET = { quietMs: 10, quietMaxMs: 360 };

/** Reads within which an order of today is found: the turns of two searches, two calls each, and one of the eldest. */
const FEW = 2 * READS.length * 2;

interface Order {
  looks: number;
  dueAt: number;
  heardAt: number;
  readAt: number[];
}

const backlog = fc.array(
  fc.record({ looks: fc.nat(130), overdue: fc.integer({ min: -360, max: 5_000 }), age: fc.nat(100_000) }),
  { minLength: 1, maxLength: sized(1_000, 20_000) },
);
const searches = fc.uniqueArray(fc.constantFrom<ReadKind>('scan', 'operator'));

const opened = (looks: number, dueAt: number, heardAt: number): Order => ({ looks, dueAt, heardAt, readAt: [] });

/** Reads open orders, by two calls each, beside searches that always have a number: one call a unit of time. */
function play(
  orders: readonly Order[],
  kinds: readonly ReadKind[],
  from: number,
  until: number,
): Record<ReadKind, number> {
  const reads = { order: 0, scan: 0, operator: 0 };
  let turns = NO_TURNS;
  for (let now = from; now < until;) {
    for (const order of orders.filter(({ dueAt }) => dueAt <= now)) {
      const judged = judgeOrder(
        { looks: order.looks, status: 400, publishedStatus: 400, isBusy: false, silentMs: now - order.heardAt },
        QUIET.quietMs,
      );
      if (judged.kind !== 'read') order.looks = judged.looks;
      if (judged.kind === 'wait') order.dueAt = now + judged.inMs;
      if (judged.kind === 'end') order.dueAt = Infinity;
    }
    const due = orders.filter(({ dueAt }) => dueAt <= now);
    const kind = nextKind(new Set([...kinds, ...(due.length > 0 ? (['order'] as const) : [])]), turns);
    if (kind === 'order') {
      const isEldest = isEldestsTurn(turns);
      const next = due.reduce((one, other) => (comesBefore(other, one, isEldest) ? other : one));
      next.looks = afterRead(next.looks);
      next.dueAt = now + pauseAfterLook(next.looks, QUIET);
      next.readAt.push(now);
    }
    if (kind !== null) [turns, reads[kind]] = [afterTurn(turns, kind), reads[kind] + 1];
    now += kind === 'order' ? 2 : 1;
  }
  return reads;
}

/** As the repository's statements have it. */
function comesBefore(one: Order, other: Order, isEldest: boolean): boolean {
  if (isEldest || one.looks !== other.looks) return isEldest ? one.dueAt < other.dueAt : one.looks < other.looks;
  return one.dueAt > other.dueAt;
}

describe('the reads that share a tenant’s rate', () => {
  it('find an order of which a notification was lost now, whatever is open and searched for (rule 5)', () => {
    const property = fc.property(backlog, searches, fc.nat(2), (old, kinds, others) => {
      const lost = opened(0, QUIET.quietMs, 0);
      const young = Array.from({ length: others }, (_, index) => opened(0, QUIET.quietMs + 3 * index, 3 * index));
      const orders = [...old.map(({ looks, overdue, age }) => opened(looks, -overdue, -age - overdue)), lost, ...young];
      play(orders, kinds, 0, QUIET.quietMs + FEW * (1 + others) + 1);
      expect(lost.readAt[0]).toBeLessThanOrEqual(QUIET.quietMs + FEW * (1 + others));
    });
    fc.assert(property, { numRuns: sized(50, 100) });
  });

  it('leave none out, of whatever kind: each open order is read, and each search has its share', () => {
    const property = fc.property(fc.integer({ min: 1, max: 40 }), searches, (count, kinds) => {
      // Orders of today, more than the rate allows, come before all others.
      const old = Array.from({ length: count }, (_, index) => opened(20, -index, -1_000 - index));
      const young = Array.from({ length: 100 * count }, (_, index) => opened(0, index / 2, index / 2 - QUIET.quietMs));
      const until = 4 * (READS.length + 1) * count + 20;
      const reads = play([...old, ...young], kinds, 0, until);
      expect(old.filter(({ readAt }) => readAt.length === 0)).toEqual([]);
      const all = reads.order + reads.scan + reads.operator;
      for (const kind of kinds) expect(reads[kind]).toBeGreaterThanOrEqual(Math.floor(all / READS.length));
    });
    fc.assert(property, { numRuns: sized(30, 100) });
  });

  it('are those of what is due alone', () => {
    expect(nextKind(new Set(['operator']), { last: 'operator', orders: 3 })).toBe('operator');
    expect(nextKind(new Set(['order', 'operator']), { last: 'order', orders: 3 })).toBe('operator');
    expect(nextKind(new Set(), NO_TURNS)).toBeNull();
  });
});
