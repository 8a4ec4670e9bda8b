import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { NOT_TO_BE_CREATED } from '@gondola/shared/orders/order-statuses';
import { at, stateFact } from '../../test/support/facts.ts';
import type { OrderFact } from '../notifications/order-fact.ts';
import { foldFacts, statusOf } from './order-state.ts';
import { type OrderNews, type Telling, tellOrder } from './plan-events.ts';
import { NOTHING_TOLD, type Told, confirmStatus } from './published-state.ts';

/** The values that a fact carries stand in its hash here. */
function tell(facts: readonly OrderFact[], told: Told): Telling {
  const state = foldFacts(facts)!;
  return tellOrder(state, told, { totals: state.valuesFact?.hash ?? '' });
}

/** Facts one by one, each told before the next arrives. */
function tellOneByOne(facts: readonly OrderFact[]): { news: OrderNews[]; told: Told } {
  const news: OrderNews[] = [];
  let told = NOTHING_TOLD;
  facts.forEach((_fact, index) => {
    const telling = tell(facts.slice(0, index + 1), told);
    news.push(...telling.news);
    ({ told } = telling);
  });
  return { news, told };
}

const types = (news: readonly OrderNews[]): string[] => news.map(({ type, revision }) => `${type} ${revision}`);
const values = { hash: 'values' };

describe('what the ERP is told of an order', () => {
  it('creates it at 300, once (rule 7)', () => {
    const { news } = tellOneByOne([stateFact(300, at(1), values), stateFact(300, at(2), values)]);
    expect(news).toMatchObject([
      { type: 'OrderApproved', revision: 1, previousStatus: null, status: 300, changes: ['status'], hold: false },
    ]);
  });

  it('creates an order whose later status arrived before its 300 once, in its current status (rule 7)', () => {
    const { news } = tellOneByOne([stateFact(500, at(3)), stateFact(300, at(1))]);
    expect(news).toMatchObject([{ type: 'OrderApproved', revision: 1, previousStatus: null, status: 500 }]);
  });

  it.each([...NOT_TO_BE_CREATED])(
    'creates nothing while the status is %i, whenever the 300 comes (rule 7)',
    (status) => {
      expect(tellOneByOne([stateFact(status, at(2)), stateFact(300, at(1))]).news).toEqual([]);
      expect(tell([stateFact(300, at(1)), stateFact(status, at(2))], NOTHING_TOLD).news).toEqual([]);
    },
  );

  it('does nothing at 250 (rule 7)', () => {
    const { news } = tellOneByOne([stateFact(250, at(1)), stateFact(300, at(2)), stateFact(250, at(3), { hash: '' })]);
    expect(types(news)).toEqual(['OrderApproved 1']);
  });

  it('tells every status by its event, with the status before', () => {
    const course = [300, 400, 350, 500, 600, 700, 900, 1000, 1100, 1200];
    const { news } = tellOneByOne(course.map((status, index) => stateFact(status, at(index), values)));
    expect(types(news)).toEqual([
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
    expect(news.map(({ previousStatus }) => previousStatus)).toEqual([null, ...course.slice(0, -1)]);
    expect(news.every(({ changes }) => changes.join() === 'status')).toBe(true);
  });

  it('stops the picking at 750 and tells the end of it', () => {
    const { news } = tellOneByOne([300, 400, 750, 800].map((status, index) => stateFact(status, at(index), values)));
    expect(news.slice(2)).toMatchObject([
      { type: 'CancellationStarted', hold: true, previousStatus: 400 },
      { type: 'OrderCancelled', hold: false, previousStatus: 750 },
    ]);
  });

  it('tells a cancellation that is taken back, with the hold released', () => {
    const { news } = tellOneByOne([300, 750, 300].map((status, index) => stateFact(status, at(index), values)));
    expect(news.at(-1)).toMatchObject({ type: 'OrderChanged', status: 300, changes: ['status'], hold: false });
  });

  it('tells a 1300 as ItemsRecalculated in the status the order has (rules 7, 10)', () => {
    const { news } = tellOneByOne([stateFact(300, at(1)), stateFact(400, at(2)), stateFact(1300, at(3))]);
    expect(news.at(-1)).toMatchObject({
      type: 'ItemsRecalculated',
      revision: 3,
      status: 400,
      previousStatus: 400,
      changes: ['totals'],
    });
  });

  it('tells a 1300 that came late or twice no second time (rule 10)', () => {
    const recalculated = stateFact(1300, at(3));
    const { news } = tellOneByOne([stateFact(300, at(1)), recalculated, stateFact(1300, at(2)), recalculated]);
    expect(types(news)).toEqual(['OrderApproved 1', 'ItemsRecalculated 2']);
  });

  it('tells a status and a 1300 that become known together in the order in which they happened', () => {
    const { told } = tellOneByOne([stateFact(300, at(1))]);
    const known = [stateFact(300, at(1)), stateFact(1300, at(2)), stateFact(350, at(3))];
    expect(types(tell(known, told).news)).toEqual(['ItemsRecalculated 2', 'OrderInvoiced 3']);
    const other = [stateFact(300, at(1)), stateFact(400, at(2)), stateFact(1300, at(3))];
    expect(types(tell(other, told).news)).toEqual(['PreparationStarted 2', 'ItemsRecalculated 3']);
  });

  it('tells changed values alone as OrderChanged, naming what changed', () => {
    const { news } = tellOneByOne([stateFact(300, at(1), values), stateFact(300, at(2), { hash: 'others' })]);
    expect(news.at(-1)).toMatchObject({ type: 'OrderChanged', changes: ['totals'], status: 300, previousStatus: 300 });
  });

  it('tells nothing for the echo of an own command, and uses no revision (rule 10)', () => {
    const { told } = tellOneByOne([stateFact(300, at(1), values)]);
    const confirmed = confirmStatus(told, 400);
    const facts = [stateFact(300, at(1), values), stateFact(400, at(2), values)];
    expect(tell(facts, confirmed)).toEqual({ told: { ...told, status: 400 }, news: [] });
    expect(tell([...facts, stateFact(500, at(3), values)], confirmed).news).toMatchObject([
      { type: 'OrderReady', revision: 2, previousStatus: 400 },
    ]);
  });

  it('says that a status was read after a lost notification (rule 18)', () => {
    const { news } = tellOneByOne([stateFact(300, at(1)), stateFact(800, at(2), { source: 'read' })]);
    expect(news.map(({ cause }) => cause)).toEqual([{ kind: 'platform' }, { kind: 'recovered' }]);
  });

  it('ends with the same status and values told, in whatever order the facts come (guarantee 4) (rules 7, 10)', () => {
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
        const { news, told } = tellOneByOne(arrivals);
        const state = foldFacts(facts)!;
        expect(news.map(({ revision }) => revision)).toEqual(news.map((_one, index) => index + 1));
        expect(news.filter(({ type }) => type === 'OrderApproved').length).toBe(Math.min(news.length, 1));
        if (told.revision === 0) return;
        expect(told.status).toBe(statusOf(state));
        expect(told.parts).toEqual({ totals: state.valuesFact!.hash });
      }),
    );
  });
});
