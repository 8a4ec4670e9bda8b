import { sized } from '@gondola/local-stack/testing/sized';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { payloadOf } from '../../test/support/shown-payload.ts';
import { factsWithValues, knownOrder } from '../facts/known-order.ts';
import type { NewFact, OrderFact } from '../facts/order-fact.ts';
import { foldFacts, statusOf } from '../facts/order-state.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { readNotification } from '../notifications/read-notification.ts';
import type { PendingEvent } from '../orders/order-event.ts';
import { planEvents } from '../orders/plan-events.ts';
import { NOTHING_PUBLISHED, partsOf, type PublishedState } from '../orders/published-state.ts';
import type { Shown } from '../platform/order-calls.ts';
import { newFacts } from './reading-facts.ts';

/** A state of an order at its shop; the minute is its date. */
interface State {
  readonly minute: number;
  readonly status: number;
  readonly total: number;
  /** A recalculation: its notification has 1300, and a store may answer that, too. */
  readonly is1300: boolean;
}

const anyChange = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(400, 350, 500, 600, 700, 750, 800).map((status) => ({ status })) },
  { weight: 1, arbitrary: fc.constantFrom(300, 400).map((status) => ({ status })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }).map((total) => ({ total })) },
);

/** Any course of an order, also one that goes back. */
const anyHistory = fc.array(anyChange, { minLength: 1, maxLength: 6 }).map((changes) =>
  changes.reduce<State[]>(
    (history, change) => {
      const last = history.at(-1)!;
      const is1300 = 'total' in change;
      const next = { ...last, ...change, is1300, minute: last.minute + 1 };
      return !is1300 && next.status === last.status ? history : [...history, next];
    },
    [{ minute: 0, status: 300, total: 9, is1300: false }],
  ),
);

function dataOf({ minute, status, total, is1300 }: State, form: { readonly asText?: boolean; readonly v2?: boolean }) {
  const code = is1300 ? 1300 : status;
  return {
    id: 'guid',
    number: 7,
    status: form.asText === true ? String(code) : code,
    updatedAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00`,
    items: [{ skuId: 's-1', manualPrice: total }],
    subtotal: { total },
    ...(form.v2 === true && { contractAccountId: 'tenant', eventType: 14 }),
  };
}

/** The lane of one order, without a database: facts are stored once, and each step publishes what is new. */
class Lane {
  readonly facts: (OrderFact & { readonly dedupKey: string; readonly content: NewFact['content'] })[] = [];
  readonly events: (PendingEvent & { readonly updatedAt: string | null; readonly total: string | null })[] = [];
  #published: PublishedState = NOTHING_PUBLISHED;

  notify(state: State): this {
    const envelope = { operationId: `op-${state.minute}`, relatedEntity: 'Order', eventType: 'Order_Updated' };
    const value = Buffer.from(JSON.stringify({ ...envelope, data: dataOf(state, {}) }));
    const reading = readNotification(value, { tenant: 'acme', id: undefined, traceparent: 'trace' });
    if (reading.kind !== 'fact') throw new Error(reading.kind);
    return this.#store([reading.fact]);
  }

  read(shown: Shown, second: number): this {
    const { state, order, values } = this.view;
    const finalPrice = values?.totals.total ?? null;
    const known = { lane: LANE, orderNumber: '7', state, order, values, finalPrice };
    const asked = { at: `2026-11-20T14:00:${String(second).padStart(2, '0')}Z`, traceparent: 'trace' };
    return this.#store(newFacts(known, shown, asked));
  }

  get view() {
    const state = foldFacts(this.facts);
    const contents = new Map(
      this.facts.flatMap(({ id, content }) =>
        content === null || !factsWithValues(state).includes(id) ? [] : [[id, content]],
      ),
    );
    const order = knownOrder(state, contents);
    return { state, order, values: state === null ? null : readOrderValues(order ?? {}, 7) };
  }

  /** Status, total and date of the order for its ERP. */
  get shown() {
    const { state, values } = this.view;
    return [state === null ? null : statusOf(state), values?.totals.total, values?.updatedAt];
  }

  #store(facts: readonly NewFact[]): this {
    for (const fact of facts) {
      if (this.facts.some(({ dedupKey }) => dedupKey === fact.dedupKey)) continue;
      this.facts.push({ ...fact, id: String(this.facts.length + 1), error: null });
    }
    const { state, values } = this.view;
    if (state === null || values === null) return this;
    const { events, published } = planEvents(state, this.#published, partsOf(values));
    this.#published = published;
    this.events.push(...events.map((event) => ({ ...event, updatedAt: values.updatedAt, total: values.totals.total })));
    return this;
  }
}

const LANE = { id: '1', tenant: 'acme', kind: 'order', identity: '7', epoch: '1', failures: 0 };

/** How a state is read: which of the history, by which route and in which form. */
const anyRead = fc.record({
  of: fc.nat(),
  at: fc.nat(),
  by: fc.constantFrom('v1', 'v2', 'status'),
  asText: fc.boolean(),
});
type Read = typeof anyRead extends fc.Arbitrary<infer T> ? T : never;

function shownOf(state: State, { by, asText }: Read, lane: Lane): Shown {
  const data = dataOf(state, { asText, v2: by === 'v2' });
  const payload = payloadOf(data, { price: moneyText(state.total) });
  if (by !== 'status') return { payload, status: null };
  // Another status than the known one is read with its payload, whose store is no nearer to the present here.
  const isNew = lane.shown[0] !== state.status;
  return { payload: isNew ? payload : null, status: state.is1300 ? null : state.status };
}

const told = ({ events }: Lane) =>
  events.map(({ type, status, total, updatedAt, hold, revision }) => ({
    type,
    status,
    total,
    updatedAt,
    hold,
    revision,
  }));

const neverFalls = ({ events }: Lane): void => {
  const dates = events.map(({ updatedAt }) => updatedAt ?? '');
  expect(dates.filter((date, index) => date < (dates[index - 1] ?? ''))).toEqual([]);
};

describe('the events of an order under reads of its platform that are behind', () => {
  const numRuns = sized(300, 5_000);

  it('are those without the reads, whatever earlier state is read, by whatever route and where (rules 9, 18)', () => {
    fc.assert(
      fc.property(anyHistory, fc.array(anyRead, { maxLength: 8 }), (history, reads) => {
        const [plain, disturbed] = [new Lane(), new Lane()];
        history.forEach((state, index) => {
          plain.notify(state);
          disturbed.notify(state);
          reads.forEach((read, second) => {
            if (read.at % history.length !== index) return;
            const earlier = history[read.of % (index + 1)]!;
            for (let time = 0; time < 5; time += 1) disturbed.read(shownOf(earlier, read, disturbed), second);
          });
        });
        expect(disturbed.shown).toEqual(plain.shown);
        expect(told(disturbed)).toEqual(told(plain));
        neverFalls(disturbed);
      }),
      { numRuns },
    );
  });

  it('end in the newest state that was heard of or read, and an answer makes one fact and one event (rules 9, 18)', () => {
    const anyLosses = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(anyHistory, anyLosses, fc.array(anyRead, { maxLength: 8 }), (history, losses, reads) => {
        const lane = new Lane();
        let newest = 0;
        history.forEach((state, index) => {
          if (index === 0 || !losses[index]) lane.notify(state);
          if (index === 0 || !losses[index]) newest = Math.max(newest, index);
          reads.forEach((read, second) => {
            if (read.at % history.length !== index || read.by === 'status') return;
            const of = read.of % (index + 1);
            newest = Math.max(newest, of);
            const before = { facts: lane.facts.length, events: lane.events.length };
            for (let time = 0; time < 5; time += 1) lane.read(shownOf(history[of]!, read, lane), second);
            expect(lane.facts.length).toBeLessThanOrEqual(before.facts + 1);
            // A status and a recalculation that were lost are two events.
            expect(lane.events.length).toBeLessThanOrEqual(before.events + 2);
          });
        });
        const { total } = history[newest]!;
        const known = history.slice(0, newest + 1).filter(({ is1300 }) => !is1300);
        const [status, shownTotal] = lane.shown;
        expect(shownTotal).toBe(moneyText(total));
        expect(known.map((each) => each.status)).toContain(status);
        expect([history[newest]!.status, history[newest]!.is1300 ? status : null]).toContain(status);
        neverFalls(lane);
      }),
      { numRuns },
    );
  });
});
