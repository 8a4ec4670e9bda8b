import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Arrival, SimulatedValueLane, type ValueCall } from '../../test/support/simulated-value-lane.ts';

const share = fc.constantFrom(0, 0.01, 0.5, 1);
const anyCall: fc.Arbitrary<ValueCall> = fc.oneof(
  fc.record({ kind: fc.constantFrom('accepted', 'failed', 'refused') }),
  fc.record({
    kind: fc.constant('lost' as const),
    lasts: share,
    landsAfter: fc.option(share),
    crashed: fc.boolean(),
  }),
);
const anyArrival: fc.Arbitrary<Arrival> = fc.record({
  afterMs: fc.constantFrom(0, 100, 4_000, 10_000, 31_000, 61_000, 119_000, 121_000, 900_000),
  price: fc.integer({ min: 1, max: 3 }),
});
const anyCourse = fc.tuple(fc.array(anyArrival, { minLength: 1, maxLength: 5 }), fc.array(anyCall, { maxLength: 8 }));

/** Whatever is answered, refused, lost, or carried out up to three time-outs after its caller has gone. */
describe('any course of prices of one SKU', () => {
  it('ends each record once; the shop has the newest price if its record is applied or unchanged (rules 16, 28, 30)', () => {
    fc.assert(
      fc.property(anyCourse, ([arrivals, calls]) => {
        const { shop, state, outcomes } = new SimulatedValueLane(arrivals, calls).run();
        expect([...outcomes.keys()].toSorted((one, other) => one - other)).toEqual([...arrivals.keys()]);
        const newest = outcomes.get(arrivals.length - 1);
        expect(['applied', 'unchanged', 'refused', 'unconfirmed']).toContain(newest);
        const isThere = newest === 'applied' || newest === 'unchanged';
        expect(isThere ? shop : arrivals.at(-1)!.price).toBe(arrivals.at(-1)!.price);
        // The lane is right about the shop's price: else a repeat of it would be `unchanged`, and wrong.
        expect(state.applied?.['price'] ?? shop).toBe(shop);
      }),
      { numRuns: sized(5_000, 50_000) },
    );
  });

  it('overwrites an older price that lands three time-outs after its caller has gone (rule 16)', () => {
    const lost: ValueCall = { kind: 'lost', lasts: 1, landsAfter: 1, crashed: false };
    const lane = new SimulatedValueLane(
      [
        { afterMs: 0, price: 1 },
        { afterMs: 10_000, price: 2 },
      ],
      [lost],
    ).run();
    expect(lane.shop).toBe(2);
    expect(lane.outcomes).toEqual(new Map([[0, 'superseded'], [1, 'applied']])); // prettier-ignore
  });
});
