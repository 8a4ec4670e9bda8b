import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { NOT_TO_BE_CREATED, ORDER_STATUSES } from '@gondola/shared/orders/order-statuses';
import { at, stateFact } from '../../test/support/facts.ts';
import { type OrderFact, PAYLOAD_READ } from './order-fact.ts';
import { layOver } from './known-order.ts';
import { foldFacts, type OrderState, statusOf } from './order-state.ts';
import type { PendingEvent } from '../orders/order-event.ts';
import { planEvents } from '../orders/plan-events.ts';
import { NOTHING_PUBLISHED, type OrderParts, type PublishedState } from '../orders/published-state.ts';

const RUNS = sized(2_000, 10_000);

/** A notification of one of the fourteen statuses, or a reading of the status or the payload, with its total. */
const anyFact: fc.Arbitrary<OrderFact> = fc
  .record({
    status: fc.constantFrom(...Object.keys(ORDER_STATUSES).map(Number)),
    // Few minutes, so that many facts have one updatedAt.
    minute: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom('notification', 'notification', 'notification', 'status', 'payload'),
    total: fc.integer({ min: 1, max: 3 }),
    isRefusal: fc.integer({ min: 0, max: 9 }).map((tenth) => tenth === 0),
  })
  .map(({ status, minute, kind, total, isRefusal }) => {
    const hash = `${kind}/${status}/${minute}/${total}/${isRefusal}`;
    if (kind === 'notification') return stateFact(status, at(minute), { hash, failure: isRefusal });
    const eventType = kind === 'status' ? 'GET status' : PAYLOAD_READ;
    return stateFact(status, at(minute), { hash, source: 'read', eventType, hasItems: false });
  });

const anySet = fc.uniqueArray(anyFact, { maxLength: 10, selector: ({ hash }) => hash });

/** Arrivals of one set: any order, some twice, and in batches, as delays make them. */
interface Arrivals {
  readonly facts: readonly OrderFact[];
  readonly batches: readonly (readonly OrderFact[])[];
}

const anyArrivals = (facts: readonly OrderFact[]): fc.Arbitrary<Arrivals> =>
  fc
    .tuple(
      fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 20, maxLength: 20 }),
    )
    .map(([arriving, sizes]) => {
      const left = [...arriving];
      const batches = sizes.map((size) => left.splice(0, size));
      return { facts, batches: [...batches, left] };
    });

/** The total that the order's values have, with a newer reading laid over them. */
function partsOf(state: OrderState): OrderParts {
  return { totals: JSON.stringify(layOver(dataOf(state.valuesFact), dataOf(state.payloadFact))) };
}

function dataOf(fact: OrderFact | null) {
  return { totals: fact?.hash.split('/')[3] ?? null };
}

/** State that the order's lane stores and publishes while its facts arrive; the database drops repeats. */
function arrive({ batches }: Arrivals) {
  const stored: OrderFact[] = [];
  const events: PendingEvent[] = [];
  let published: PublishedState = NOTHING_PUBLISHED;
  for (const batch of batches) {
    for (const fact of batch) {
      if (stored.every(({ hash }) => hash !== fact.hash)) stored.push({ ...fact, id: String(stored.length + 1) });
    }
    const state = foldFacts(stored);
    if (state === null) continue;
    const plan = planEvents(state, published, partsOf(state));
    ({ published } = plan);
    events.push(...plan.events);
  }
  return { state: foldFacts(stored), events, published };
}

function view(state: OrderState | null) {
  if (state === null) return null;
  const { paid, orderId, statusFact, valuesFact, payloadFact, recalculation } = state;
  const hashes = [statusFact, valuesFact, payloadFact, recalculation].map((fact) => fact?.hash ?? null);
  return { paid, orderId, status: statusOf(state), hashes, parts: partsOf(state) };
}

describe('the notifications and readings of an order, however they arrive', () => {
  it('end in one view, and create it at most once and never while it is cancelled (guarantee 4) (rules 7, 9, 18)', () => {
    const twoArrivals = anySet.chain((facts) => fc.tuple(anyArrivals(facts), anyArrivals(facts)));
    fc.assert(
      fc.property(twoArrivals, ([one, other]) => {
        const [first, second] = [arrive(one), arrive(other)];
        expect(view(first.state)).toEqual(view(second.state));
        for (const { events, published, state } of [first, second]) {
          expect(events.map(({ revision }) => revision)).toEqual(events.map((_event, index) => index + 1));
          const created = events.filter(({ type }) => type === 'OrderApproved');
          expect(created.length).toBe(Math.min(events.length, 1));
          expect(created.some(({ status }) => NOT_TO_BE_CREATED.has(status))).toBe(false);
          if (state === null || published.status === null) continue;
          expect([published.status, published.parts]).toEqual([statusOf(state), partsOf(state)]);
        }
        const mayBe = first.state?.paid === true && !NOT_TO_BE_CREATED.has(statusOf(first.state) ?? 0);
        const isMissing = [first, second].some(({ published }) => published.status === null);
        expect(mayBe && isMissing).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });
});
