import { describe, expect, it } from '@jest/globals';
import { NO_OPEN_STEPS, type OpenSteps } from '../orders/order-row.ts';
import { nextOpenSteps, type StepOfCommand } from './time-limits.ts';

const NOW = '2026-11-20T14:00:00.000Z';
const SENT = '2026-11-20T13:00:00.000Z';
const PICKING: StepOfCommand = {
  name: 'ReportPicking',
  sentAt: SENT,
  registeredAt: null,
  isRegistrationRefused: false,
  isAttached: false,
  outcome: null,
};
const INVOICE: StepOfCommand = { ...PICKING, name: 'RegisterInvoice' };

const NOTHING_SEEN = { showsRegistration: false, showsPdf: false, isInvoiced: false, isRecalculated: false };

function next(known: OpenSteps, commands: readonly StepOfCommand[], seen: Partial<typeof NOTHING_SEEN> = {}) {
  return nextOpenSteps(known, commands, { ...NOTHING_SEEN, ...seen, nowMs: Date.parse(NOW) });
}

describe('the open steps of an order', () => {
  it('are the same where nothing changed', () => {
    const known = { ...NO_OPEN_STEPS, registeredAt: SENT };
    expect(next(known, [{ ...PICKING, sentAt: null }])).toEqual(known);
    expect(next(known, [], { showsRegistration: true })).toEqual(known);
  });

  it('have a picking from its first attempt to its 1300, beyond its outcome where that is unconfirmed', () => {
    const sent = next(NO_OPEN_STEPS, [PICKING]);
    expect(sent.pickingSince).toBe(SENT);
    expect(next(sent, [{ ...PICKING, outcome: 'unconfirmed' }]).pickingSince).toBe(SENT);
    expect(next(sent, []).pickingSince).toBe(SENT);
    expect(next(sent, [], { isRecalculated: true }).pickingSince).toBeNull();
    expect(next(sent, [{ ...PICKING, outcome: 'applied' }]).pickingSince).toBeNull();
    expect(next(sent, [{ ...PICKING, outcome: 'refused' }]).pickingSince).toBeNull();
  });

  it('have an invoice once it is registered, and its PDF once that is attached', () => {
    expect(next(NO_OPEN_STEPS, [INVOICE])).toEqual(NO_OPEN_STEPS);
    expect(next(NO_OPEN_STEPS, [], { showsRegistration: true }).registeredAt).toBe(NOW);
    expect(next(NO_OPEN_STEPS, [{ ...INVOICE, outcome: 'applied' }]).registeredAt).toBe(NOW);
    expect(next(NO_OPEN_STEPS, [{ ...INVOICE, outcome: 'refused' }]).registeredAt).toBeNull();
    const registered = next(NO_OPEN_STEPS, [{ ...INVOICE, registeredAt: SENT }]);
    expect(registered).toEqual({ pickingSince: null, registeredAt: SENT, attachedAt: null });
    expect(next(registered, [{ ...INVOICE, name: 'AttachInvoicePdf', isAttached: true }]).attachedAt).toBe(NOW);
  });

  it('have no invoice that the platform refused after its PDF was asked for, but an earlier one (rule 15)', () => {
    const refused = { ...INVOICE, registeredAt: SENT, isRegistrationRefused: true, outcome: 'refused' } as const;
    const passed = next(NO_OPEN_STEPS, [{ ...INVOICE, registeredAt: SENT }]);
    expect(next(passed, [refused]).registeredAt).toBeNull();
    expect(next(NO_OPEN_STEPS, [refused]).registeredAt).toBeNull();
    const earlier = { ...NO_OPEN_STEPS, registeredAt: '2026-11-20T12:00:00.000Z' };
    expect(next(earlier, [refused])).toEqual(earlier);
  });

  it('have no invoice of an order that somebody else invoiced, and the PDF that a payload shows', () => {
    expect(next(NO_OPEN_STEPS, [], { showsRegistration: true, isInvoiced: true })).toEqual(NO_OPEN_STEPS);
    expect(next(NO_OPEN_STEPS, [], { showsPdf: true }).attachedAt).toBe(NOW);
  });
});
