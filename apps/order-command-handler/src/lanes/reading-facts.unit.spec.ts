import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { describe, expect, it } from '@jest/globals';
import { at, stateFact } from '../../test/support/facts.ts';
import { payloadOf } from '../../test/support/shown-payload.ts';
import type { NewFact, OrderFact } from '../facts/order-fact.ts';
import { foldFacts, statusOf } from '../facts/order-state.ts';
import { readOrderValues } from '../facts/order-values.ts';
import {
  believedStatus,
  foundFacts,
  isDoubtful,
  isOutdated,
  isStatusless,
  newFacts,
  readAgainInMs,
} from './reading-facts.ts';
import { SECOND_READ_MS } from './order-watch.ts';

const LANE = { id: '1', tenant: 'acme', kind: 'order', identity: '1', epoch: '1', failures: 0 };
const TRACE = 'trace';
const asked = (seconds = 0) => ({
  at: new Date(Date.UTC(2026, 10, 20, 14) + seconds * 1_000).toISOString(),
  traceparent: TRACE,
});

function orderOf(facts: readonly OrderFact[], order: JsonRecord = { subtotal: { total: 10 } }) {
  const state = foldFacts(facts);
  const values = state === null ? null : readOrderValues(order, 1);
  return { lane: LANE, orderNumber: '1', state, order: state === null ? null : order, values, finalPrice: '10.00' };
}

const stored = (facts: readonly NewFact[]): OrderFact[] =>
  facts.map((fact, index) => ({ ...fact, id: String(1_000 + index), error: null }));

function read(
  known: readonly OrderFact[],
  shown: JsonRecord | number,
  doubted?: Parameters<typeof newFacts>[3],
  seconds = 0,
) {
  const answer =
    typeof shown === 'number' ? { payload: null, status: shown } : { payload: payloadOf(shown), status: null };
  return newFacts(orderOf(known), answer, asked(seconds), doubted);
}

const statusAfter = (known: readonly OrderFact[], facts: readonly NewFact[]) =>
  statusOf(foldFacts([...known, ...stored(facts)])!);

const paid = stateFact(300, at(0));
const prepared = stateFact(400, at(5));
const cancelling = stateFact(750, at(10));

describe('a payload', () => {
  it('has the date that it says, and its order shows it (rules 9, 18)', () => {
    const [fact] = read([paid], { status: 400, updatedAt: at(5), subtotal: { total: 10 } });
    expect(fact).toMatchObject({ status: 400, ticks: prepared.ticks, updatedAt: `${at(5)}-03:00`, source: 'read' });
  });

  it('says nothing where it is older than what is known, also to a command (rules 9, 18)', () => {
    const known = [paid, prepared, cancelling];
    const old = { status: 400, updatedAt: at(5), subtotal: { total: 7 } };
    expect(read(known, old)).toEqual([]);
    expect(isOutdated(foldFacts(known), payloadOf(old))).toBe(true);
    expect(isOutdated(foldFacts(known), payloadOf({ ...old, status: 750, updatedAt: at(10) }))).toBe(false);
  });

  it('of the state of a notification without its items gives them, once (guarantee 6)', () => {
    const spoilt = stateFact(400, at(5), { hasItems: false });
    const shown = {
      status: 400,
      updatedAt: at(5),
      subtotal: { total: 10 },
      items: [{ skuId: 'a', orderedQuantity: 1 }],
    };
    const facts = read([paid, spoilt], shown);
    expect(facts).toMatchObject([{ status: 400, ticks: spoilt.ticks }]);
    expect(foldFacts([paid, spoilt, ...stored(facts)])).toMatchObject({
      statusFact: { status: 400 },
      payloadFact: facts[0],
    });
    expect(read([paid, prepared], shown)).toEqual([]);
    const known = { ...orderOf([paid, spoilt, ...stored(facts)], shown) };
    expect(newFacts(known, { payload: payloadOf(shown), status: null }, asked())).toEqual([]);
  });

  it('authorizes an order that has no 300, however old it is, and changes nothing else (rules 7, 8)', () => {
    const facts = read([prepared], { status: 300, updatedAt: at(1) });
    expect(foldFacts([prepared, ...stored(facts)])).toMatchObject({
      paid: true,
      statusFact: prepared,
      payloadFact: null,
    });
  });

  it.each(['2026-11-20T10:05:00.12', '2026-11-20T10:05:00', '2026-11-20T10:05'])(
    'of the same date, written with fewer digits as %s, is not older',
    (updatedAt) => {
      const known = [paid, stateFact(400, '2026-11-20T10:05:00.1234567')];
      expect(isOutdated(foldFacts(known), payloadOf({ status: 400, updatedAt }))).toBe(false);
      expect(read(known, { status: 400, updatedAt, subtotal: { total: 99 } })).toEqual([]);
    },
  );

  it('is one fact, however often it is read (rule 18)', () => {
    const shown = { status: 400, updatedAt: at(5) };
    const [first] = read([paid], shown);
    expect(read([paid], shown, undefined, 60)[0]?.dedupKey).toBe(first!.dedupKey);
    expect(read([paid, ...stored([first!])], shown, undefined, 60)).toEqual([]);
  });

  it('that shows 1300 changes the values and no status, and is no recalculation of its own (rules 7, 9)', () => {
    const known = [paid, prepared];
    const facts = read(known, { status: 1300, updatedAt: at(6), subtotal: { total: 7 } });
    expect(facts).toMatchObject([{ status: null }]);
    const state = foldFacts([...known, ...stored(facts)])!;
    expect([statusOf(state), state.recalculation, state.payloadFact?.ticks]).toEqual([400, null, facts[0]!.ticks]);
  });

  it('that was stored with 1300 by an earlier version is no recalculation either', () => {
    const earlier = stateFact(1300, at(9), { source: 'read', eventType: 'GET webhook-payload', hasItems: false });
    expect(foldFacts([paid, earlier])).toMatchObject({ statusFact: paid, recalculation: null, payloadFact: earlier });
  });

  it('of two of one date, v2 counts, then the later one (rule 18)', () => {
    const v2 = { contractAccountId: 'tenant', eventType: 14 };
    const shown = { status: 400, updatedAt: at(5) };
    const [v1, later, core] = [
      read([paid], { ...shown, a: 1 }),
      read([paid], { ...shown, a: 2 }, undefined, 60),
      read([paid], { ...shown, ...v2 }),
    ].map((facts) => stored(facts)[0]!);
    expect(foldFacts([paid, v1!, later!])!.payloadFact).toBe(later);
    expect(foldFacts([paid, later!, core!])!.payloadFact).toBe(core);
  });

  it('without a date counts as a read of the status does, with its values', () => {
    const shown = { status: 400, subtotal: { total: 7 } };
    expect(read([paid], shown)).toMatchObject([{ status: 400, ticks: paid.ticks! + 1n }]);
    expect(read([paid, cancelling], shown)).toEqual([]);
  });
});

describe('a status that is read', () => {
  it('is dated just after what is known, so that any change that is notified later counts (rule 9)', () => {
    const facts = read([paid, prepared], 500);
    expect(facts).toMatchObject([{ status: 500, ticks: prepared.ticks! + 1n, updatedAt: null }]);
    expect(statusAfter([paid, prepared, cancelling], facts)).toBe(750);
  });

  it('says nothing where it is known, and is one fact however often it is read', () => {
    expect(read([paid, prepared], 400)).toEqual([]);
    const [first] = read([paid], 400);
    expect(read([paid], 400, undefined, 300)[0]?.dedupKey).toBe(first!.dedupKey);
  });

  it.each([
    ['one before the known one', [paid, prepared, cancelling], 400],
    ['one that the order left', [paid, stateFact(600, at(1)), stateFact(300, at(2))], 600],
    ['one before another that the order left', [paid, stateFact(600, at(1)), stateFact(300, at(2))], 500],
  ])('is in doubt if it is %s (rule 9)', (_, known, status) => {
    expect(isDoubtful(foldFacts(known), status)).toBe(true);
    expect(read(known, status)).toEqual([]);
    expect(believedStatus(foldFacts(known), [])).toBe(statusOf(foldFacts(known)!));
  });

  it('counts at a second read some time later, and not before (rule 9)', () => {
    const known = [paid, prepared, cancelling];
    const doubted = { status: 400, since: asked().at };
    expect(read(known, 400, doubted, SECOND_READ_MS / 1_000 - 1)).toEqual([]);
    expect(read(known, 300, doubted, SECOND_READ_MS / 1_000)).toEqual([]);
    const facts = read(known, 400, doubted, SECOND_READ_MS / 1_000);
    expect(statusAfter(known, facts)).toBe(400);
  });

  it('is proved or disproved by the payload beside it, whose date counts (rule 9)', () => {
    const known = [paid, prepared, cancelling];
    const doubted = { status: 400, since: asked(-3_600).at };
    const beside = (shown: JsonRecord, before: typeof doubted | null) =>
      newFacts(orderOf(known), { payload: payloadOf(shown), status: 400 }, asked(), before);
    expect(statusAfter(known, beside({ status: 400, updatedAt: at(11) }, null))).toBe(400);
    expect(beside({ status: 750, updatedAt: at(10) }, doubted)).toEqual([]);
    expect(statusAfter(known, beside({ status: 400 }, doubted))).toBe(400);
    expect(beside({ status: 400 }, null)).toEqual([]);
  });

  it('ahead of what is known waits for a second read only where its payload does not show it (rule 9)', () => {
    const known = [paid, prepared];
    const beside = (shown: JsonRecord, before: { status: number; since: string } | null) =>
      newFacts(orderOf(known), { payload: payloadOf(shown), status: 800 }, asked(), before);
    expect(beside({ status: 800, updatedAt: at(11) }, null)).toMatchObject([
      { status: 800, ticks: stateFact(800, at(11)).ticks },
    ]);
    expect(beside({ status: 400, updatedAt: at(5) }, null)).toEqual([]);
    const confirmed = beside({ status: 400, updatedAt: at(5) }, { status: 800, since: asked(-3_600).at });
    expect(statusAfter(known, confirmed)).toBe(800);
    expect(statusAfter(known, beside({ status: 800 }, null))).toBe(800);
  });

  it('of 300 authorizes an order without one, and sets nothing back (rules 7, 8)', () => {
    const facts = read([prepared], 300);
    expect(foldFacts([prepared, ...stored(facts)])).toMatchObject({ paid: true, statusFact: prepared });
    expect(believedStatus(foldFacts([prepared]), facts)).toBe(400);
  });
});

const found = (payload: JsonRecord, status: number | null) =>
  foundFacts({ tenant: 'acme', orderNumber: '1' }, { payload: payloadOf(payload), status }, asked());

describe('an order that nothing is known of', () => {
  it('is what its payload says, in any form (rule 18)', () => {
    expect(found({ status: '300', updatedAt: at(5) }, null)).toMatchObject([{ status: 300, ticks: prepared.ticks }]);
    expect(found({ status: 'PAYMENT_APPROVED' }, null)).toMatchObject([{ status: 300, ticks: 0n }]);
  });

  it('has the status of GET status where its payload shows 1300, and without one its values (rules 7, 8)', () => {
    const shown = { status: 1300, updatedAt: at(5) };
    expect(foldFacts(stored(found(shown, 300)))).toMatchObject({ paid: true, statusFact: { status: 300 } });
    expect(foldFacts(stored(found(shown, null)))).toMatchObject({ paid: false, statusFact: null, recalculation: null });
  });
});

const againAfter = (seconds: number, purpose: 'lost-answer' | 'silence' = 'lost-answer') =>
  readAgainInMs({ statuslessSince: asked().at }, purpose, asked(seconds).at);

const tells = (status: number | null, payload: JsonRecord | null) =>
  !isStatusless(foldFacts([prepared]), { status, payload: payload === null ? null : payloadOf(payload) });

describe('a read that tells no status', () => {
  it('is made again with doubling pauses for two minutes, then counts as the known one (rule 7)', () => {
    expect(readAgainInMs({ statuslessSince: null }, 'lost-answer', asked().at)).toBe(1_000);
    expect([1, 2, 4, 64, 119].map((seconds) => againAfter(seconds))).toEqual([1_000, 2_000, 4_000, 64_000, 119_000]);
    expect(againAfter(120)).toBeNull();
  });

  it('is not made again where nothing is concluded from it', () => {
    expect(againAfter(1, 'silence')).toBeNull();
  });

  it('is one of 1300 without a payload of now beside it', () => {
    expect(tells(400, null)).toBe(true);
    expect(tells(null, null)).toBe(false);
    expect(tells(null, { status: 1_300, updatedAt: at(9) })).toBe(false);
    expect(tells(null, { status: 500, updatedAt: at(1) })).toBe(false);
    expect(tells(null, { status: 500, updatedAt: at(9) })).toBe(true);
  });
});
