import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { NOT_TO_BE_CREATED } from '@gondola/shared/orders/order-statuses';
import { at, stateFact } from '../../test/support/facts.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts, statusOf } from '../facts/order-state.ts';
import type { PendingEvent } from './order-event.ts';
import { type EventPlan, planEvents } from './plan-events.ts';
import { releaseFact } from '../facts/release.ts';
import { NOTHING_PUBLISHED, type PublishedState, confirmStatus } from './published-state.ts';

/** The values that a fact carries stand in its hash here. */
function plan(facts: readonly OrderFact[], published: PublishedState): EventPlan {
  const state = foldFacts(facts)!;
  return planEvents(state, published, { totals: state.valuesFact?.hash ?? '' });
}

/** The same, where the values of a reading are laid over them. */
function planRecalculated(facts: readonly OrderFact[], published: PublishedState): EventPlan {
  return planEvents(foldFacts(facts)!, published, { totals: 'recalculated' });
}

/** Facts one by one, each published before the next arrives. */
function publishOneByOne(facts: readonly OrderFact[]): { events: PendingEvent[]; published: PublishedState } {
  const events: PendingEvent[] = [];
  let published = NOTHING_PUBLISHED;
  facts.forEach((_fact, index) => {
    const planned = plan(facts.slice(0, index + 1), published);
    events.push(...planned.events);
    ({ published } = planned);
  });
  return { events, published };
}

const types = (events: readonly PendingEvent[]): string[] => events.map(({ type, revision }) => `${type} ${revision}`);
const values = { hash: 'values' };

describe('what is published of an order', () => {
  it('creates it at 300, once (rule 7)', () => {
    const { events } = publishOneByOne([stateFact(300, at(1), values), stateFact(300, at(2), values)]);
    expect(events).toMatchObject([
      { type: 'OrderApproved', revision: 1, previousStatus: null, status: 300, changes: ['status'], hold: false },
    ]);
  });

  it('creates an order whose later status arrived before its 300 once, in its current status (rule 7)', () => {
    const { events } = publishOneByOne([stateFact(500, at(3)), stateFact(300, at(1))]);
    expect(events).toMatchObject([{ type: 'OrderApproved', revision: 1, previousStatus: null, status: 500 }]);
  });

  it.each([...NOT_TO_BE_CREATED])(
    'creates nothing while the status is %i, whenever the 300 comes (rule 7)',
    (status) => {
      expect(publishOneByOne([stateFact(status, at(2)), stateFact(300, at(1))]).events).toEqual([]);
      expect(plan([stateFact(300, at(1)), stateFact(status, at(2))], NOTHING_PUBLISHED).events).toEqual([]);
    },
  );

  it('does nothing at 250 (rule 7)', () => {
    const { events } = publishOneByOne([
      stateFact(250, at(1)),
      stateFact(300, at(2)),
      stateFact(250, at(3), { hash: '' }),
    ]);
    expect(types(events)).toEqual(['OrderApproved 1']);
  });

  it('publishes every status by its event, with the status before', () => {
    const course = [300, 400, 350, 500, 600, 700, 900, 1000, 1100, 1200];
    const { events } = publishOneByOne(course.map((status, index) => stateFact(status, at(index), values)));
    expect(types(events)).toEqual([
      'OrderApproved 1',
      'PreparationStarted 2',
      'OrderInvoiced 3',
      'OrderReady 4',
      'OrderShipped 5',
      'OrderDelivered 6',
      'DeliveryFailed 7',
      'OrderReturned 8',
      'RefundStarted 9',
      'RefundCompleted 10',
    ]);
    expect(events.map(({ previousStatus }) => previousStatus)).toEqual([null, ...course.slice(0, -1)]);
    expect(events.every(({ changes }) => changes.join() === 'status')).toBe(true);
  });

  it('stops the picking at 750 and publishes the end of it', () => {
    const { events } = publishOneByOne(
      [300, 400, 750, 800].map((status, index) => stateFact(status, at(index), values)),
    );
    expect(events.slice(2)).toMatchObject([
      { type: 'CancellationStarted', hold: true, previousStatus: 400 },
      { type: 'OrderCancelled', hold: false, previousStatus: 750 },
    ]);
  });

  it('publishes a cancellation that is taken back, with the hold released', () => {
    const { events } = publishOneByOne([300, 750, 300].map((status, index) => stateFact(status, at(index), values)));
    expect(events.at(-1)).toMatchObject({ type: 'OrderReopened', status: 300, changes: ['status'], hold: false });
  });

  it('publishes any return to an earlier status as OrderReopened, and nothing else (rule 10)', () => {
    const rank = [300, 400, 350, 500, 600, 700, 900, 1000, 750, 800, 1100, 1200];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...rank), { minLength: 1, maxLength: 8 }), (course) => {
        const { events } = publishOneByOne(
          [300, ...course].map((status, index) => stateFact(status, at(index), values)),
        );
        for (const { type, status, previousStatus, hold } of events.slice(1)) {
          const isTriedAgain = previousStatus === 900 && (status === 600 || status === 700);
          const isEarlier = rank.indexOf(status) < rank.indexOf(previousStatus!) && !isTriedAgain;
          expect([type === 'OrderReopened', hold]).toEqual([isEarlier, status === 750]);
        }
      }),
    );
  });

  it('publishes no return for a notification that comes late, or for a read that is behind (rules 9, 18)', () => {
    const { events } = publishOneByOne([
      stateFact(300, at(1), values),
      stateFact(600, at(5), values),
      stateFact(500, at(4), values),
      stateFact(400, at(3), { ...values, source: 'read', eventType: 'GET webhook-payload' }),
    ]);
    expect(types(events)).toEqual(['OrderApproved 1', 'OrderShipped 2']);
  });

  it('publishes a 1300 as ItemsRecalculated in the status the order has (rules 7, 10)', () => {
    const { events } = publishOneByOne([stateFact(300, at(1)), stateFact(400, at(2)), stateFact(1300, at(3))]);
    expect(events.at(-1)).toMatchObject({
      type: 'ItemsRecalculated',
      revision: 3,
      status: 400,
      previousStatus: 400,
      changes: ['totals'],
    });
  });

  it.each([350, 500, 700])('publishes changes after %i, with the unchanged status (rules 7, 10)', (status) => {
    const before = [stateFact(300, at(1), values), stateFact(status, at(2), values)];
    const changed = publishOneByOne([...before, stateFact(status, at(3), { hash: 'others' })]);
    expect(changed.events.slice(2)).toMatchObject([
      { type: 'OrderChanged', revision: 3, status, previousStatus: status, changes: ['totals'], hold: false },
    ]);
    const recalculated = publishOneByOne([...before, stateFact(1300, at(3), { hash: 'others' })]);
    expect(recalculated.events.slice(2)).toMatchObject([
      { type: 'ItemsRecalculated', revision: 3, status, previousStatus: status, changes: ['totals'] },
    ]);
  });

  it('asks for missing SKUs only where an event may depend on them', () => {
    const { published } = publishOneByOne([stateFact(300, at(1), values)]);
    const state = foldFacts([stateFact(300, at(1), values)])!;
    const asked: string[] = [];
    const awaitedSkus = () => (asked.push('they were asked for'), asked);
    expect(planEvents(state, published, { totals: 'values' }, { awaitedSkus }).events).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('publishes a 1300 that came late or twice no second time (rule 10)', () => {
    const recalculated = stateFact(1300, at(3));
    const { events } = publishOneByOne([stateFact(300, at(1)), recalculated, stateFact(1300, at(2)), recalculated]);
    expect(types(events)).toEqual(['OrderApproved 1', 'ItemsRecalculated 2']);
  });

  it('publishes a status and a 1300 that become known together in the order in which they happened', () => {
    const { published } = publishOneByOne([stateFact(300, at(1))]);
    const known = [stateFact(300, at(1)), stateFact(1300, at(2)), stateFact(350, at(3))];
    expect(types(plan(known, published).events)).toEqual(['ItemsRecalculated 2', 'OrderInvoiced 3']);
    const other = [stateFact(300, at(1)), stateFact(400, at(2)), stateFact(1300, at(3))];
    expect(types(plan(other, published).events)).toEqual(['PreparationStarted 2', 'ItemsRecalculated 3']);
  });

  it('publishes a 1300 that was lost once the payload shows other totals, and not again when it comes (rules 7, 18)', () => {
    const known = [stateFact(300, at(1)), stateFact(400, at(2), values)];
    const { published } = publishOneByOne(known);
    const read = stateFact(400, at(6), { source: 'read', eventType: 'GET webhook-payload', hash: 'read' });
    const late = stateFact(1300, at(5));
    const found = planRecalculated([...known, read], published);
    expect(found.events).toMatchObject([
      { type: 'ItemsRecalculated', revision: 3, status: 400, changes: ['totals'], cause: { kind: 'recovered' } },
    ]);
    expect(planRecalculated([...known, read, late], found.published).events).toEqual([]);
    expect(planRecalculated([...known, read, late, stateFact(1300, at(7))], found.published).events).toMatchObject([
      { type: 'ItemsRecalculated', revision: 4, cause: { kind: 'platform' } },
    ]);
  });

  it('publishes changed values alone as OrderChanged, naming what changed', () => {
    const { events } = publishOneByOne([stateFact(300, at(1), values), stateFact(300, at(2), { hash: 'others' })]);
    expect(events.at(-1)).toMatchObject({
      type: 'OrderChanged',
      changes: ['totals'],
      status: 300,
      previousStatus: 300,
    });
  });

  it('publishes nothing for the echo of an own command, and uses no revision (rule 10)', () => {
    const { published } = publishOneByOne([stateFact(300, at(1), values)]);
    const confirmed = confirmStatus(published, 400, null);
    const facts = [stateFact(300, at(1), values), stateFact(400, at(2), values)];
    expect(plan(facts, confirmed)).toEqual({ published: { ...published, status: 400 }, events: [] });
    expect(plan([...facts, stateFact(500, at(3), values)], confirmed).events).toMatchObject([
      { type: 'OrderReady', revision: 2, previousStatus: 400 },
    ]);
  });

  it('states that a status was read after a lost notification (rule 18)', () => {
    const { events } = publishOneByOne([stateFact(300, at(1)), stateFact(800, at(2), { source: 'read' })]);
    expect(events.map(({ cause }) => cause)).toEqual([{ kind: 'platform' }, { kind: 'recovered' }]);
  });

  it('ends with the same status and values published, in whatever order the facts come (guarantee 4) (rules 7, 10)', () => {
    const anySet = fc.uniqueArray(
      fc.record({
        status: fc.constantFrom(250, 300, 350, 400, 500, 600, 700, 750, 800, 1000, 1300),
        minute: fc.integer({ min: 0, max: 30 }),
      }),
      { maxLength: 7, selector: ({ status, minute }) => `${status}/${minute}` },
    );
    const shuffled = anySet
      .map((set) => set.map(({ status, minute }) => stateFact(status, at(minute))))
      .chain((facts) =>
        fc.tuple(fc.constant(facts), fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 })),
      );
    fc.assert(
      fc.property(shuffled, ([facts, arrivals]) => {
        if (foldFacts(facts) === null) return;
        const { events, published } = publishOneByOne(arrivals);
        const state = foldFacts(facts)!;
        expect(events.map(({ revision }) => revision)).toEqual(events.map((_one, index) => index + 1));
        expect(events.filter(({ type }) => type === 'OrderApproved').length).toBe(Math.min(events.length, 1));
        if (published.revision === 0) return;
        expect(published.status).toBe(statusOf(state));
        expect(published.parts).toEqual({ totals: state.valuesFact!.hash });
      }),
    );
  });
});

describe('an order that needs somebody', () => {
  const missing = { code: 'PAID_NOTICE_MISSING', since: '2026-11-20T14:00:00Z', waitsFor: 'operator' } as const;
  const state = foldFacts([stateFact(500, at(1), values)])!;
  const planned = (published: PublishedState, attention: readonly (typeof missing)[]) =>
    planEvents(state, published, {}, { attention });

  it('is published once for one reason, also before it is created, and not when that is over (rule 8)', () => {
    const first = planned(NOTHING_PUBLISHED, [missing]);
    expect(first).toMatchObject({
      events: [{ type: 'OrderNeedsAttention', revision: 1, previousStatus: null, status: 500, attention: missing }],
      published: { revision: 1, status: null, attention: [missing] },
    });
    expect(planned(first.published, [missing])).toEqual({ published: first.published, events: [] });
    expect(planned(first.published, [])).toMatchObject({ events: [], published: { revision: 1, attention: [] } });
  });

  it('is created by its release, with the revision after that (rule 8)', () => {
    const { published } = planned(NOTHING_PUBLISHED, [missing]);
    const released = foldFacts([...state.facts, releaseFact('00-trace')])!;
    expect(planEvents(released, published, {})).toMatchObject({
      events: [
        { type: 'OrderApproved', revision: 2, status: 500, cause: { kind: 'released' }, traceparent: '00-trace' },
      ],
      published: { revision: 2, status: 500, attention: [] },
    });
  });
});

describe('a SKU that was not known when its order was published (rule 11)', () => {
  const state = foldFacts([stateFact(300, at(1), values)])!;
  const parts = { items: 'a' };
  const planned = (published: PublishedState, awaitedSkus: readonly string[], more: Partial<typeof parts> = {}) =>
    planEvents(state, published, { ...parts, ...more }, { awaitedSkus: () => awaitedSkus });
  const { published } = planned(NOTHING_PUBLISHED, ['id 1', 'id 2']);

  it('is published by an OrderChanged of the items once it is known', () => {
    expect(planned(published, ['id 1', 'id 2'])).toEqual({ published, events: [] });
    const one = planned(published, ['id 2']);
    expect(one).toMatchObject({
      events: [{ type: 'OrderChanged', revision: 2, changes: ['items'], previousStatus: 300, status: 300 }],
      published: { awaitedSkus: ['id 2'] },
    });
    expect(planned(one.published, ['id 2']).events).toEqual([]);
    expect(types(planned(one.published, []).events)).toEqual(['OrderChanged 3']);
  });

  it('is published with any other change, and not published if it became unknown again', () => {
    expect(planned(published, [], { items: 'b' })).toMatchObject({ events: [{ changes: ['items'] }] });
    const known = planned(published, []).published;
    expect(planned(known, ['id 1']).events).toEqual([]);
  });
});
