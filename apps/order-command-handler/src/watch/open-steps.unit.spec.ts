import { describe, expect, it } from '@jest/globals';
import { NO_OPEN_STEPS, nextOpenSteps, type OpenSteps, type StepOfCommand } from './open-steps.ts';

const NOW = '2026-11-20T14:00:00.000Z';
const SENT = '2026-11-20T13:00:00.000Z';
const PICKING: StepOfCommand = {
  name: 'ReportPicking',
  sentAt: SENT,
  isRegistered: false,
  isAttached: false,
  outcome: null,
};
const INVOICE: StepOfCommand = { ...PICKING, name: 'RegisterInvoice' };

function next(known: OpenSteps, commands: readonly StepOfCommand[], isRecalculated = false, showsRegistration = false) {
  return nextOpenSteps(known, commands, { showsRegistration, isRecalculated, nowMs: Date.parse(NOW) });
}

describe('the open steps of an order', () => {
  it('are the same where nothing changed', () => {
    const known = { ...NO_OPEN_STEPS, registeredAt: SENT };
    expect(next(known, [{ ...PICKING, sentAt: null }])).toBe(known);
    expect(next(known, [], false, true)).toBe(known);
  });

  it('have a picking from its first attempt to its 1300, beyond its outcome where that is unconfirmed', () => {
    const sent = next(NO_OPEN_STEPS, [PICKING]);
    expect(sent.pickingSince).toBe(SENT);
    expect(next(sent, [{ ...PICKING, outcome: 'unconfirmed' }]).pickingSince).toBe(SENT);
    expect(next(sent, []).pickingSince).toBe(SENT);
    expect(next(sent, [], true).pickingSince).toBeNull();
    expect(next(sent, [{ ...PICKING, outcome: 'applied' }]).pickingSince).toBeNull();
    expect(next(sent, [{ ...PICKING, outcome: 'refused' }]).pickingSince).toBeNull();
  });

  it('have an invoice once it is registered, and its PDF once that is attached', () => {
    expect(next(NO_OPEN_STEPS, [INVOICE])).toEqual(NO_OPEN_STEPS);
    expect(next(NO_OPEN_STEPS, [], false, true).registeredAt).toBe(NOW);
    expect(next(NO_OPEN_STEPS, [{ ...INVOICE, outcome: 'applied' }]).registeredAt).toBe(NOW);
    expect(next(NO_OPEN_STEPS, [{ ...INVOICE, outcome: 'refused' }]).registeredAt).toBeNull();
    const registered = next(NO_OPEN_STEPS, [{ ...INVOICE, isRegistered: true }]);
    expect(registered).toEqual({ pickingSince: null, registeredAt: NOW, attachedAt: null });
    expect(next(registered, [{ ...INVOICE, name: 'AttachInvoicePdf', isAttached: true }]).attachedAt).toBe(NOW);
  });
});
