import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS } from '../../test/support/command-settings.ts';
import { at, stateFact } from '../../test/support/facts.ts';
import { NO_OPEN_STEPS } from '../orders/order-row.ts';
import { foldFacts } from '../facts/order-state.ts';
import { type LimitedOrder, overdue } from './time-limits.ts';

const { limits } = COMMAND_SETTINGS;
const SINCE = '2026-11-20T14:00:00.000Z';
const SINCE_MS = Date.parse(SINCE);
const WEEK_MS = 7 * 86_400_000;
const REGISTERED = { ...NO_OPEN_STEPS, registeredAt: SINCE };
const ATTACHED = { ...REGISTERED, attachedAt: SINCE };

function orderIn(status: number, more: Partial<LimitedOrder> = {}): LimitedOrder {
  const state = foldFacts([stateFact(300, at(0)), stateFact(status, at(1))])!;
  return { state, isCreated: true, statusSince: SINCE, openSteps: NO_OPEN_STEPS, isSending: false, ...more };
}

const called = (order: LimitedOrder, afterMs = WEEK_MS) =>
  overdue(order, limits, SINCE_MS + afterMs).attention.map(({ code, waitsFor }) => `${code} ${waitsFor}`);

describe('the time limits of an order', () => {
  it.each<[string, LimitedOrder, string[]]>([
    ['approved', orderIn(300), ['NOT_PREPARED erp']],
    ['its preparation sent', orderIn(300, { isSending: true }), ['NOT_PREPARED platform']],
    ['prepared', orderIn(400), []],
    [
      'picked, no 1300',
      orderIn(400, { openSteps: { ...NO_OPEN_STEPS, pickingSince: SINCE } }),
      ['PICKING_UNCONFIRMED platform'],
    ],
    ['picked, and on its way since', orderIn(350, { openSteps: { ...NO_OPEN_STEPS, pickingSince: SINCE } }), []],
    ['registered, no PDF', orderIn(400, { openSteps: REGISTERED }), ['PDF_MISSING erp']],
    ['its saga is open', orderIn(400, { openSteps: REGISTERED, isSending: true }), ['PDF_MISSING gondola']],
    ['registered with its PDF', orderIn(400, { openSteps: ATTACHED }), ['NOT_INVOICED platform']],
    ['350', orderIn(350, { openSteps: ATTACHED }), []],
    ['350 without its PDF', orderIn(350, { openSteps: REGISTERED }), ['PDF_MISSING erp']],
    ['350 without a registration that is known', orderIn(350), []],
    [
      '350 was there, shipped',
      { ...orderIn(600), state: foldFacts([350, 600].map((s, i) => stateFact(s, at(i))))! },
      [],
    ],
    ['shipped without an invoice', orderIn(600), ['NOT_INVOICED erp']],
    ['cancellation analysed', orderIn(750), ['CANCEL_UNFINISHED platform']],
    ['refund begun', orderIn(1100), ['REFUND_UNFINISHED platform']],
    ['cancelled', orderIn(800, { openSteps: REGISTERED }), []],
    ['returned', orderIn(1000, { openSteps: REGISTERED }), []],
    ['never created', orderIn(750, { isCreated: false }), []],
  ])('name who must act if it is %s', (_what, order, codes) => {
    expect(called(order)).toEqual(codes);
  });

  it('are counted from when the state became known, and none is over before', () => {
    const order = orderIn(300);
    const limitMs = limits.notPreparedMs!;
    expect(overdue(order, limits, SINCE_MS + limitMs - 1)).toEqual({ attention: [], nextInMs: 1 });
    expect(overdue(order, limits, SINCE_MS + limitMs)).toMatchObject({
      attention: [{ code: 'NOT_PREPARED', since: SINCE, waitsFor: 'erp' }],
      nextInMs: null,
    });
  });

  it('raise nothing if a tenant has no limits', () => {
    const none = { ...limits, notPreparedMs: null };
    expect(overdue(orderIn(300), none, SINCE_MS + WEEK_MS)).toEqual({ attention: [], nextInMs: null });
  });
});
