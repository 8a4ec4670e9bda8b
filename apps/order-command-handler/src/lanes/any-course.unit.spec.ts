import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Delivery, type PatchFate, SimulatedOrder } from '../../test/support/simulated-order.ts';

const FATES: readonly PatchFate[] = [
  'applied',
  'applied, answer lost',
  'applied, crash',
  'late, answer lost',
  'lost',
  'crash',
  'refused',
  'refused by event',
  'silent',
  'unavailable',
];

const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  afterSteps: fc.integer({ min: 0, max: 8 }),
  doubled: fc.boolean(),
  lost: fc.boolean(),
});

const anyCourse = fc.record({
  fates: fc.array(fc.constantFrom(...FATES), { maxLength: 5 }),
  deliveries: fc.array(anyDelivery, { maxLength: 6 }),
});

function play({ fates, deliveries }: { fates: readonly PatchFate[]; deliveries: readonly Delivery[] }): SimulatedOrder {
  const order = new SimulatedOrder(fates, deliveries);
  order.run();
  return order;
}

/** Whatever the platform answers, loses, delays, doubles, or where the process ends. */
describe('StartPreparation in any course of events', () => {
  it('has exactly one outcome, which is true (guarantee 3) (rules 5, 10, 16, 17)', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        const order = play(course);
        expect(order.ends).toHaveLength(1);
        const { conclusion, status } = order.ends[0]!;
        expect(['applied', 'refused', 'unconfirmed']).toContain(conclusion.outcome);
        expect(conclusion.outcome === 'applied').toBe(status === 400);
        expect(order.attempts).toBeGreaterThan(0);
        expect(order.attempts).toBeLessThanOrEqual(3);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is sent again only after an attempt of which nothing was heard (rules 16, 17)', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        const unheard = play(course).sent.slice(0, -1);
        expect(unheard.filter((fate) => !/lost|crash|unavailable/.test(fate))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves the ERP with what is known, and no event for what its command did (guarantee 4) (rule 10)', () => {
    fc.assert(
      fc.property(anyCourse, fc.constantFrom(null, 500, 800), (course, next) => {
        const order = new SimulatedOrder(course.fates, course.deliveries);
        order.run();
        // An event publishes a PATCH that was applied after its command had ended; only the result publishes any other
        // one.
        const wasLate = order.ends[0]!.status !== order.status;
        expect(order.published.revision).toBeLessThanOrEqual(wasLate ? 2 : 1);
        if (next !== null) {
          order.move(next);
          order.run();
        }
        expect(order.published.status).toBe(order.known);
      }),
      { numRuns: 2_000 },
    );
  });
});
