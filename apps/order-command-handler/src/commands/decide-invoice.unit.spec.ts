import { type AttemptAnswer, withAnswer, withAttempt } from '@gondola/shared/commands/attempts';
import { decisionOf } from '@gondola/shared/testing/decisions';
import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS } from '../../test/support/command-settings.ts';
import { at, refusalFact, stateFact } from '../../test/support/facts.ts';
import {
  type CommandProgress,
  NOT_STARTED,
  withPayload,
  withPdfAsked,
  withPdfCheckAsked,
  withRead,
} from './command-progress.ts';
import { decideInvoice } from './decide-invoice.ts';
import type { Decision } from './decision.ts';
import type { InvoiceSituation } from './known-invoice.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { foldFacts } from '../facts/order-state.ts';
import type { PdfOutcome } from '../pdf-results/pdf-outcome.ts';

const START = Date.parse('2026-11-20T14:00:00Z');
const paid = stateFact(300, at(0));
/** The file gateway was asked about the PDF, which comes before everything else. */
const CHECKED: CommandProgress = withPdfCheckAsked(NOT_STARTED, new Date(START).toISOString());
const marker = {
  at: new Date(START).toISOString(),
  seenFactId: paid.id,
  before: { status: 300, ticks: String(paid.ticks), hash: paid.hash },
};
const accepted: AttemptAnswer = { kind: 'accepted', operationId: 'tx' };
const ATTACHED: PdfOutcome = { outcome: 'applied', evidence: 'read-back', reason: null, platform: null, attempts: 1 };
const ATTACHED_BEFORE: PdfOutcome = { ...ATTACHED, outcome: 'unchanged', evidence: 'already-in-state', attempts: 0 };

const sent = (answer: AttemptAnswer, step: 'register' | 'status' = 'register', on = NOT_STARTED): CommandProgress =>
  withAnswer(withAttempt(on, { ...marker, step, priceBefore: '12.45' }), answer);

const REGISTRATION = { number: '1', issuedAt: '2026-11-20T13:00:00Z', value: '12.45' };

const given = decisionOf(
  decideInvoice,
  (): InvoiceSituation => ({
    state: foldFacts([paid]),
    progress: CHECKED,
    deadlineInMs: null,
    nowMs: START + 1,
    isLagging: false,
    otherOperationIds: [],
    registration: REGISTRATION,
    registeredAt: null,
    shownInvoices: [],
    sentInvoices: [],
    pdf: { uploadId: 'u-1' },
    finalPrice: '12.45',
    pdfCheck: { kind: 'good', untilMs: Infinity },
    pdfOutcome: null,
    attachedAt: null,
  }),
  COMMAND_SETTINGS,
);

/** `value` null: a PDF alone. */
function decide(
  more: Partial<InvoiceSituation> & { facts?: readonly OrderFact[]; value?: string | null } = {},
): Decision {
  const { facts = [paid], value = '12.45', ...rest } = more;
  return given({ state: foldFacts(facts), ...(value === null && { registration: null }), ...rest });
}

/** The shop was asked before anything was sent, and has this very invoice. */
const asking = (on: CommandProgress): CommandProgress =>
  withPayload(on, {
    purpose: 'registration',
    at: marker.at,
    kind: 'found',
    price: null,
    registered: true,
    invoices: [{ ...REGISTRATION, issuedAt: '2026-11-20T10:00:00.0000000' }],
  });

const endOf = (decision: Decision): unknown => {
  if (decision.kind !== 'conclude') return decision;
  const { outcome, reason, setsStatus, warnings = [] } = decision.conclusion;
  const code = reason !== null && 'code' in reason ? reason.code : null;
  return [outcome, code, setsStatus, warnings.map((each) => each.code)];
};

describe('an invoice before it is registered', () => {
  it('equals the known final price, however that is written (rule 14)', () => {
    expect(decide({ finalPrice: '12.45' })).toEqual({ kind: 'send', step: 'register' });
    expect(endOf(decide({ finalPrice: '12.46' }))).toEqual(['invalid', 'PRICE_MISMATCH', null, []]);
    expect(decide({ finalPrice: null })).toEqual({ kind: 'send', step: 'register' });
  });

  it.each(['12.454', '12.445', '12.4501'])(
    'is the rounded or truncated cents of a price of %s (rule 14)',
    (finalPrice) => {
      expect(decide({ finalPrice })).toEqual({ kind: 'send', step: 'register' });
      expect(endOf(decide({ finalPrice: '12.461' }))).toEqual(['invalid', 'PRICE_MISMATCH', null, []]);
    },
  );

  it.each([750, 800, 1100, 1200])('is stopped in %i (rule 15)', (status) => {
    expect(endOf(decide({ facts: [paid, stateFact(status, at(1))] }))).toEqual([
      'invalid',
      'ORDER_CANCELLED',
      null,
      [],
    ]);
  });

  it('needs a payment, and nothing where the order is invoiced already (rules 7, 16)', () => {
    expect(endOf(decide({ facts: [stateFact(400, at(1))] }))).toEqual(['invalid', 'NOT_PAID', null, []]);
    const facts = [paid, stateFact(350, at(1))];
    expect(decide({ facts, pdf: null })).toEqual({ kind: 'read-payload', purpose: 'registration' });
    const end = endOf(decide({ facts, pdf: null, progress: asking(CHECKED) }));
    expect(end).toEqual(['unchanged', null, null, []]);
  });
});

describe('the PDF of an invoice before that is registered (rule 33)', () => {
  const reason = { code: 'NOT_PDF', message: 'O conteúdo não é um PDF.', field: 'pdf' } as const;

  it('is asked about once, and nothing is sent without an answer', () => {
    expect(decide({ progress: NOT_STARTED, pdfCheck: null })).toEqual({
      kind: 'check-pdf',
      content: { uploadId: 'u-1' },
    });
    expect(decide({ pdfCheck: null })).toEqual({ kind: 'wait', ms: null });
    expect(decide({ progress: NOT_STARTED, pdf: null })).toEqual({ kind: 'send', step: 'register' });
  });

  it('ends the command where it cannot be attached', () => {
    expect(decide({ pdfCheck: { kind: 'bad', reason } })).toMatchObject({
      kind: 'conclude',
      conclusion: { outcome: 'invalid', reason: { given: { code: 'NOT_PDF' } } },
    });
  });

  it('lets the registration go where it can be attached, or an older file gateway does not know the question', () => {
    expect(decide({ pdfCheck: { kind: 'good', untilMs: START + 3_600_001 } })).toEqual({
      kind: 'send',
      step: 'register',
    });
    expect(decide({ pdfCheck: { kind: 'not-checked' } })).toEqual({ kind: 'send', step: 'register' });
  });

  it('concludes the command if the PDF may expire before the invoice is done', () => {
    const pdfCheck = { kind: 'good', untilMs: START + 3_600_000 } as const;
    expect(endOf(decide({ pdfCheck }))).toEqual(['invalid', 'UPLOAD_UNKNOWN', null, []]);
  });

  it('says nothing of an order that is cancelled, invoiced or recalculated meanwhile', () => {
    expect(endOf(decide({ pdfCheck: null, facts: [paid, stateFact(750, at(1))] }))).toMatchObject([
      'invalid',
      'ORDER_CANCELLED',
      null,
      [],
    ]);
    const progress = asking(CHECKED);
    const invoiced = [paid, stateFact(350, at(1))];
    expect(decide({ pdfCheck: null, facts: invoiced, progress })).toMatchObject({ kind: 'ask-pdf' });
    expect(endOf(decide({ pdfCheck: null, finalPrice: '12.46' }))).toMatchObject([
      'invalid',
      'PRICE_MISMATCH',
      null,
      [],
    ]);
  });

  it('is not asked about by a saga that an older version began', () => {
    const begun = sent(accepted);
    expect(begun.pdfCheckAsked).toBeNull();
    expect(decide({ progress: begun, pdfCheck: null })).toMatchObject({ kind: 'ask-pdf' });
  });
});

describe('an open invoice saga', () => {
  const asked = withPdfAsked(sent(accepted), marker);

  it.each([750, 800, 1000, 1100, 1200])('is ended by %i (rule 15)', (status) => {
    const facts = [paid, stateFact(status, at(1))];
    expect(endOf(decide({ facts, progress: sent(accepted) }))).toEqual([
      'refused',
      'ORDER_CANCELLED',
      null,
      expect.anything(),
    ]);
  });

  it('asks for the PDF once (rule 15)', () => {
    expect(decide({ progress: sent(accepted) })).toMatchObject({ kind: 'ask-pdf', orderId: 'order-guid' });
    expect(decide({ progress: asked, deadlineInMs: 7 })).toEqual({ kind: 'wait', ms: 7 });
  });

  it('reads status and payload after a lost answer, before the same registration goes again (rules 15, 16)', () => {
    const lost = sent({ kind: 'pending' });
    const later = { nowMs: START + 6_000 };
    expect(decide({ progress: lost })).toEqual({ kind: 'wait', ms: 4_999 });
    expect(decide({ progress: lost, ...later })).toEqual({ kind: 'read', purpose: 'lost-answer' });
    const read = withRead(lost, { purpose: 'lost-answer', at: new Date(START + 6_000).toISOString(), status: 300 });
    expect(decide({ progress: read, ...later })).toEqual({ kind: 'read-payload', purpose: 'lost-answer' });
    const payload = { purpose: 'lost-answer', at: new Date(START + 6_000).toISOString(), price: null } as const;
    const shown = withPayload(read, { ...payload, kind: 'found', registered: true });
    expect(decide({ progress: shown, ...later })).toMatchObject({ kind: 'ask-pdf' });
    const missing = withPayload(read, { ...payload, kind: 'found', registered: false });
    expect(decide({ progress: missing, ...later })).toEqual({ kind: 'send', step: 'register' });
    const absent = { ...payload, kind: 'not-found', registered: false } as const;
    // A gateway's failure says nothing about the order; only the platform's own 500 does.
    expect(decide({ progress: withPayload(read, absent), ...later })).toEqual({ kind: 'send', step: 'register' });
    const failed = { ...read, attempts: sent({ kind: 'unknown', cause: 'server-error', status: 500 }).attempts };
    expect(endOf(decide({ progress: withPayload(failed, absent), ...later }))).toEqual([
      'refused',
      'ORDER_UNKNOWN',
      null,
      expect.anything(),
    ]);
  });

  it('ends by the 350 once its PDF is attached, also where the order has moved on (rules 10, 15)', () => {
    const facts = [paid, stateFact(350, at(1)), stateFact(500, at(2))];
    expect(decide({ facts, progress: asked, deadlineInMs: 7 })).toEqual({ kind: 'wait', ms: 7 });
    expect(endOf(decide({ facts, progress: asked, pdfOutcome: ATTACHED }))).toEqual(['applied', null, 350, []]);
  });

  it('is refused by its transaction, after the status was read (rules 5, 16)', () => {
    const facts = [paid, refusalFact('tx', { eventType: 'Operation_Failed' })];
    expect(decide({ facts, progress: asked, deadlineInMs: 7 })).toEqual({ kind: 'read', purpose: 'refusal' });
    const read = withRead(asked, { purpose: 'refusal', at: marker.at, status: 300 });
    expect(endOf(decide({ facts, progress: read, deadlineInMs: 7 }))).toEqual([
      'refused',
      'PLATFORM_REFUSED',
      null,
      expect.anything(),
    ]);
  });

  it('is read back before it is refused wherever an attempt had no answer (rules 10, 15, 16)', () => {
    const facts = [paid, refusalFact('unknown', { eventType: 'Operation_Failed' })];
    const lost = sent({ kind: 'unknown', cause: 'timeout' }, 'register', CHECKED);
    const read = withRead(lost, { purpose: 'refusal', at: marker.at, status: 300 });
    expect(decide({ facts, progress: lost })).toEqual({ kind: 'read', purpose: 'refusal' });
    expect(decide({ facts, progress: read })).toEqual({ kind: 'read-payload', purpose: 'refusal' });
    const payload = { purpose: 'refusal', at: marker.at, kind: 'found', price: null } as const;
    const shown = withPayload(read, { ...payload, registered: true });
    expect(decide({ facts, progress: shown })).toMatchObject({ kind: 'ask-pdf' });
    const missing = withPayload(read, { ...payload, registered: false });
    expect(endOf(decide({ facts, progress: missing }))).toEqual([
      'refused',
      'PLATFORM_REFUSED',
      null,
      expect.anything(),
    ]);
  });

  it('does not set ORDER_INVOICED while no registration shows (rule 15)', () => {
    let progress = asked;
    for (let count = 0; count < 4; count += 1)
      progress = withRead(progress, { purpose: 'invoiced', at: marker.at, status: 300 });
    const done = { progress, pdfOutcome: ATTACHED, nowMs: START + 60_000, deadlineInMs: 60_000 };
    expect(decide(done)).toEqual({ kind: 'read-payload', purpose: 'registration' });
    const payload = { purpose: 'registration', at: marker.at, kind: 'found', price: null } as const;
    expect(decide({ ...done, progress: withPayload(progress, { ...payload, registered: true }) })).toEqual({
      kind: 'send',
      step: 'status',
    });
    for (let count = 0; count < 4; count += 1) progress = withPayload(progress, { ...payload, registered: false });
    expect(decide({ ...done, progress })).toEqual({ kind: 'send', step: 'register' });
  });

  it('attaches a PDF to an order that was invoiced before, and does not set it back (rule 15)', () => {
    const facts = [paid, stateFact(350, at(1)), stateFact(600, at(2))];
    expect(decide({ facts, registration: null })).toMatchObject({ kind: 'ask-pdf' });
    const progress = withPdfAsked(NOT_STARTED, { ...marker, seenFactId: facts.at(-1)!.id });
    expect(endOf(decide({ facts, registration: null, progress, pdfOutcome: ATTACHED }))).toEqual([
      'applied',
      null,
      null,
      [],
    ]);
  });
});

describe('a PDF of an order that is invoiced', () => {
  const facts = [paid, stateFact(350, at(1))];
  const progress = withPdfAsked(NOT_STARTED, { ...marker, seenFactId: facts.at(-1)!.id });

  it.each([null, '12.45'])(
    'goes to the file gateway, and nothing is registered again (value %s) (rule 15)',
    (value) => {
      expect(decide({ facts, value, progress: asking(NOT_STARTED) })).toMatchObject({ kind: 'ask-pdf' });
      expect(decide({ facts, value, progress, deadlineInMs: 7 })).toEqual({ kind: 'wait', ms: 7 });
      expect(endOf(decide({ facts, value, progress, pdfOutcome: ATTACHED }))).toEqual(['applied', null, null, []]);
    },
  );

  it.each([null, '12.45'])('is unchanged where nothing was sent (value %s) (rule 16)', (value) => {
    expect(endOf(decide({ facts, value, progress, pdfOutcome: ATTACHED_BEFORE }))).toEqual([
      'unchanged',
      null,
      null,
      [],
    ]);
  });

  it.each([null, '12.45'])('is not called applied where its upload stayed silent (value %s)', (value) => {
    let read = progress;
    for (let count = 0; count < 4; count += 1)
      read = withRead(read, { purpose: 'invoiced', at: marker.at, status: 350 });
    const silent = { ...ATTACHED, outcome: 'unconfirmed' as const };
    const end = endOf(decide({ facts, value, progress: read, pdfOutcome: silent, nowMs: START + 60_000 }));
    expect(end).toEqual(['unconfirmed', 'PLATFORM_SILENT', null, []]);
  });

  it('does not set back an order that has moved on since it was invoiced (rule 15)', () => {
    const moved = [...facts, stateFact(600, at(2))];
    const seenFactId = moved.at(-1)!.id;
    const registered = withAnswer(
      withAttempt(NOT_STARTED, { ...marker, seenFactId, step: 'register', priceBefore: '12.45' }),
      accepted,
    );
    const asked = withPdfAsked(asking(registered), { ...marker, seenFactId });
    expect(endOf(decide({ facts: moved, progress: asked, pdfOutcome: ATTACHED }))).toEqual(['applied', null, null, []]);
  });
});

describe('the result of an invoice whose PDF stayed silent', () => {
  const SILENT: PdfOutcome = { ...ATTACHED, outcome: 'unconfirmed', evidence: 'none' };
  const asked = withPdfAsked(sent(accepted), marker);
  const facts = [paid, stateFact(350, at(1))];
  const shows = (attached: boolean, purpose: 'pdf' | 'deadline' = 'pdf', on = asked): CommandProgress =>
    withPayload(on, { purpose, at: marker.at, kind: 'found', price: null, registered: true, attached });
  const readOften = (progress: CommandProgress, status = 300): CommandProgress => {
    const read = { purpose: 'invoiced', at: marker.at, status } as const;
    return [1, 2, 3, 4].reduce((on) => withRead(on, read), progress);
  };
  const later = { pdfOutcome: SILENT, nowMs: START + 60_000, deadlineInMs: 60_000 };

  it('says of a 350 that came by itself what the payload shows of the PDF (rules 15, 16)', () => {
    expect(decide({ ...later, facts, progress: asked })).toEqual({ kind: 'read-payload', purpose: 'pdf' });
    expect(endOf(decide({ ...later, facts, progress: shows(true) }))).toEqual(['applied', null, 350, []]);
    const unclear = decide({ ...later, facts, progress: shows(false) });
    expect(endOf(unclear)).toEqual(['applied', null, 350, ['PDF_UNCONFIRMED']]);
  });

  it('goes on to the PATCH where the payload shows the PDF, and else is unconfirmed (rule 15)', () => {
    const read = readOften(asked);
    expect(decide({ ...later, progress: read })).toEqual({ kind: 'read-payload', purpose: 'pdf' });
    expect(decide({ ...later, progress: shows(true, 'pdf', read) })).toEqual({ kind: 'send', step: 'status' });
    const end = endOf(decide({ ...later, progress: shows(false, 'pdf', read) }));
    expect(end).toEqual(['unconfirmed', 'PLATFORM_SILENT', null, ['PDF_UNCONFIRMED']]);
  });

  it('takes no earlier PDF for the one that stayed silent (rule 16)', () => {
    const attachedAt = new Date(START - 1).toISOString();
    const end = endOf(decide({ ...later, facts, progress: shows(true), attachedAt }));
    expect(end).toEqual(['applied', null, 350, ['PDF_UNCONFIRMED']]);
    const own = new Date(START + 1).toISOString();
    expect(endOf(decide({ ...later, facts, progress: shows(true), attachedAt: own }))).toEqual([
      'applied',
      null,
      350,
      [],
    ]);
  });

  it.each([null, '12.45'])(
    'is no confirmation where the order was invoiced before and is 350 again (value %s) (rule 16)',
    (value) => {
      const progress = withPdfAsked(NOT_STARTED, { ...marker, seenFactId: facts.at(-1)!.id });
      const again = [...facts, stateFact(350, at(2))];
      const end = endOf(decide({ ...later, facts: again, value, progress }));
      expect(end).toEqual(['unconfirmed', 'PLATFORM_SILENT', null, []]);
    },
  );

  it('warns that the PDF is missing only where that is known (rule 15)', () => {
    const deadline = { nowMs: START + 4_000_000, deadlineInMs: -1 };
    const read = withRead(asked, { purpose: 'deadline', at: marker.at, status: 300 });
    const warningsOf = (progress: CommandProgress, more: object = {}): unknown =>
      (endOf(decide({ ...deadline, progress, ...more })) as unknown[]).at(-1);
    expect(warningsOf(shows(false, 'deadline', read))).toEqual(['PDF_UNCONFIRMED']);
    expect(warningsOf(shows(true, 'deadline', read))).toEqual([]);
    const without = withRead(sent(accepted), { purpose: 'deadline', at: marker.at, status: 300 });
    expect(warningsOf(shows(false, 'deadline', without), { pdf: null })).toEqual(['PDF_MISSING']);
    expect(warningsOf(shows(true, 'deadline', without), { pdf: null })).toEqual([]);
  });
});

describe('a refusal in an invoice saga', () => {
  const asked = withPdfAsked(sent(accepted), marker);
  const refusal = refusalFact('tx', { eventType: 'Operation_Failed' });
  const read = withRead(asked, { purpose: 'refusal', at: marker.at, status: 300 });

  it('of the registration leaves no invoice without its PDF (rule 15)', () => {
    expect(endOf(decide({ facts: [paid, refusal], progress: read, deadlineInMs: 7 }))).toEqual([
      'refused',
      'PLATFORM_REFUSED',
      null,
      [],
    ]);
  });

  it('counts also where it became known after the deadline (rule 5)', () => {
    const late = { nowMs: START + 4_000_000, deadlineInMs: -1 };
    const progress = withRead(asked, { purpose: 'deadline', at: marker.at, status: 300 });
    expect(decide({ ...late, facts: [paid, refusal], progress })).toEqual({ kind: 'read', purpose: 'refusal' });
    expect(endOf(decide({ ...late, facts: [paid, refusal], progress: read }))).toEqual([
      'refused',
      'PLATFORM_REFUSED',
      null,
      [],
    ]);
    const reason = { code: 'NOT_PDF', message: 'O conteúdo não é um PDF.', field: 'pdf' } as const;
    const pdfOutcome: PdfOutcome = { ...ATTACHED, outcome: 'invalid', evidence: 'none', reason };
    expect(decide({ ...late, progress, pdfOutcome })).toMatchObject({
      conclusion: { outcome: 'refused', reason: { given: { code: 'NOT_PDF' } }, warnings: [{ code: 'PDF_MISSING' }] },
    });
    const patched = sent({ kind: 'refused', status: 409, message: 'no' }, 'status', asked);
    const patchRead = withRead(patched, { purpose: 'refusal', at: marker.at, status: 300 });
    const end = endOf(decide({ ...late, progress: patchRead, pdfOutcome: ATTACHED }));
    expect(end).toEqual(['refused', 'PLATFORM_REFUSED', null, []]);
  });
});

describe('AttachInvoicePdf of an order without a registered invoice', () => {
  it('ends with its upload, and never makes the order ORDER_INVOICED (rule 15)', () => {
    const attach = { registration: null, pdfOutcome: ATTACHED, nowMs: START + 60_000, deadlineInMs: 60_000 };
    const invoiced = { purpose: 'invoiced', at: marker.at, status: 300 } as const;
    const read = [1, 2, 3, 4].reduce((on) => withRead(on, invoiced), withPdfAsked(NOT_STARTED, marker));
    expect(decide({ ...attach, progress: read })).toEqual({ kind: 'read-payload', purpose: 'registration' });
    const payload = { purpose: 'registration', at: marker.at, kind: 'found', price: null } as const;
    const shown = withPayload(read, { ...payload, registered: true });
    expect(decide({ ...attach, progress: shown })).toEqual({ kind: 'send', step: 'status' });
    const absent = [1, 2, 3, 4].reduce((on) => withPayload(on, { ...payload, registered: false }), read);
    expect(endOf(decide({ ...attach, progress: absent }))).toEqual(['applied', null, null, ['REGISTRATION_MISSING']]);
    // Known of an earlier command, or of a notification: reads that are behind take nothing back.
    const own = { invoice: REGISTRATION, isRegistered: true, lostAt: null };
    const notified = { number: '1', issuedAt: null, value: null };
    for (const known of [{ sentInvoices: [own] }, { shownInvoices: [notified] }])
      expect(decide({ ...attach, ...known, progress: absent })).toEqual({ kind: 'send', step: 'status' });
    const unproven = { sentInvoices: [{ ...own, isRegistered: false }] };
    const missing = ['applied', null, null, ['REGISTRATION_MISSING']];
    expect(endOf(decide({ ...attach, ...unproven, progress: absent }))).toEqual(missing);
    // An order that went on is not set back.
    for (const status of [500, 600, 700, 900]) {
      const later = { ...attach, facts: [paid, stateFact(status, at(1))] };
      expect(endOf(decide({ ...later, progress: shown }))).toEqual(['applied', null, null, ['STATUS_NOT_SETTABLE']]);
    }
  });
});
