import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ORDER_STATUSES } from '@gondola/shared/orders/order-statuses';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import { type OrderFact, PAYLOAD_READ } from './order-fact.ts';
import { foldFacts, statusOf } from './order-state.ts';

const anyFact: fc.Arbitrary<OrderFact> = fc
  .record({
    status: fc.constantFrom(...Object.keys(ORDER_STATUSES).map(Number), 100, 1400),
    minute: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
    hash: fc.constantFrom('a', 'b', 'c'),
    failure: fc.boolean(),
    source: fc.constantFrom('notification' as const, 'read' as const),
    eventType: fc.constantFrom('Order_Updated', 'Order_StatusUpdated', 'Order_New'),
    hasItems: fc.boolean(),
  })
  // The hash is of the content: a reading has one of its own, and so has an order without its items.
  .map(({ status, minute, hash, ...more }) =>
    stateFact(status, minute === null ? null : at(minute), {
      ...more,
      hash: `${more.source} ${hash} ${String(more.hasItems)}`,
    }),
  );

const read = (status: number, minute: number): OrderFact =>
  stateFact(status, at(minute), { source: 'read', eventType: PAYLOAD_READ, hasItems: false });

/** Compared part of a state: without its facts and without the operation that brought its data. */
function seen(facts: readonly OrderFact[]): unknown {
  const state = foldFacts(facts);
  if (state === null) return null;
  const { facts: _all, ...published } = state;
  return JSON.stringify(published, (key, value: unknown) => {
    if (['id', 'operationId', 'eventType'].includes(key)) return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

describe('the state of an order', () => {
  it('is the same for any order and any repetition of arrival (guarantee 4) (rule 9)', () => {
    const shuffled = fc.array(anyFact, { maxLength: 8 }).chain((facts) =>
      fc.tuple(
        fc.constant(facts),
        fc.shuffledSubarray([...facts, ...facts, ...facts], { minLength: 0 }).map((some) => [...some, ...facts]),
        fc.shuffledSubarray(facts, { minLength: facts.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([facts, repeated, permuted]) => {
        expect(seen(repeated)).toEqual(seen(facts));
        expect(seen(permuted)).toEqual(seen(facts));
      }),
    );
  });

  it('has the status of the newest updatedAt, down to 100 ns (rule 9)', () => {
    const older = stateFact(400, '2026-11-20T10:15:00.1234567');
    const newer = stateFact(300, '2026-11-20T10:15:00.1234568');
    expect(statusOf(foldFacts([newer, older])!)).toBe(300);
  });

  it('takes 350 for later than 400 where both have one updatedAt: codes are not chronological (rule 9)', () => {
    expect(statusOf(foldFacts([stateFact(350, at(1)), stateFact(400, at(1)), stateFact(300, at(1))])!)).toBe(350);
  });

  it('lets the hash decide between facts that differ in nothing else (rule 9)', () => {
    const [a, b] = [stateFact(400, at(1), { hash: 'a' }), stateFact(400, at(1), { hash: 'b' })];
    expect(foldFacts([b, a])!.statusFact).toBe(b);
    expect(foldFacts([a, b])!.statusFact).toBe(b);
  });

  it('takes a fact without a date for older than all others (rule 9)', () => {
    expect(statusOf(foldFacts([stateFact(500, null), stateFact(400, at(1))])!)).toBe(400);
  });

  it('keeps the status at 1300 and takes its values (rules 7, 9)', () => {
    const recalculated = stateFact(1300, at(2));
    const state = foldFacts([recalculated, stateFact(400, at(1))])!;
    expect(statusOf(state)).toBe(400);
    expect(state.valuesFact).toBe(recalculated);
    expect(state.recalculation).toBe(recalculated);
  });

  it('does nothing at 250, even dated after a payment (rule 7)', () => {
    expect(statusOf(foldFacts([stateFact(300, at(1)), stateFact(250, at(2))])!)).toBe(300);
    expect(statusOf(foldFacts([stateFact(250, at(2))])!)).toBe(250);
  });

  it('takes nothing from a refusal, neither status nor values (rules 5, 9)', () => {
    const refusal = refusalFact('op', { ticks: 1n, hasItems: true, status: 400 });
    expect(foldFacts([refusal])).toBeNull();
    const paid = stateFact(300, null);
    const state = foldFacts([refusal, paid])!;
    expect([state.statusFact, state.valuesFact]).toEqual([paid, paid]);
  });

  it('judges an event name that is not documented by its fields (rule 5)', () => {
    const paid = stateFact(300, at(1), { eventType: 'Order_Created' });
    const unheardOf = stateFact(400, at(2), { eventType: 'Order_Something' });
    const state = foldFacts([paid, unheardOf])!;
    expect([state.paid, statusOf(state), state.valuesFact]).toEqual([true, 400, unheardOf]);
  });

  it('has the values of the newest Order_Updated, before those of any other name (rule 9)', () => {
    const updated = stateFact(300, at(1));
    expect(foldFacts([updated, stateFact(400, at(2), { eventType: 'Order_StatusUpdated' })])!.valuesFact).toBe(updated);
  });

  it('takes the values from the notification with its items where the same state was told without them (guarantee 6)', () => {
    const spoilt = stateFact(400, at(2), { hash: 'z', hasItems: false });
    const whole = stateFact(400, at(2), { hash: 'a' });
    const older = stateFact(400, at(1), { hash: 'b' });
    expect(foldFacts([spoilt, whole, older])!.valuesFact).toBe(whole);
    expect(foldFacts([spoilt, older])!.valuesFact).toBe(spoilt);
  });

  it('has a read of the same state fill a notification without its items, and no other one (guarantee 6)', () => {
    const spoilt = stateFact(400, at(2), { hasItems: false });
    const [same, behind] = [read(400, 2), read(300, 2)];
    expect(foldFacts([spoilt, same])!.payloadFact).toBe(same);
    expect(foldFacts([spoilt, behind])!.payloadFact).toBeNull();
    expect(foldFacts([spoilt, read(400, 1)])!.payloadFact).toBeNull();
    expect(foldFacts([stateFact(400, at(2)), same])!.payloadFact).toBeNull();
  });
});
