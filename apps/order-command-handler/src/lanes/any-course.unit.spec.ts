import { sized } from '@gondola/local-stack/testing/sized';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { isReturn, ORDER_INVOICED, VALUES_RECALCULATED } from '@gondola/shared/orders/order-statuses';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type PlayedCommand, SimulatedCourse } from '../../test/support/simulated-course.ts';
import type { Delivery, Fate } from '../../test/support/simulated-order.ts';

const FATES: readonly Fate[] = [
  'event',
  'lost answer, event at once',
  'crash, event',
  'lost answer, event',
  'time-out',
  'crash',
  '400',
  'refusal',
  'silence',
  'unavailable',
];

/** From at once to after the deadline. */
const anyDelivery: fc.Arbitrary<Delivery> = fc.record({
  afterMs: fc.constantFrom(0, 1_000, 6_000, 31_000, 120_000, 600_000, 1_200_000),
  doubled: fc.boolean(),
  lost: fc.boolean(),
});

const anyCourse = fc.record({
  fates: fc.array(fc.constantFrom(...FATES), { maxLength: 5 }),
  deliveries: fc.array(anyDelivery, { maxLength: 6 }),
});

interface AnyCourse {
  readonly fates: readonly Fate[];
  readonly deliveries: readonly Delivery[];
}

/** Calls beyond the given fates are carried out. */
function play({ fates, deliveries }: AnyCourse): SimulatedCourse {
  return new SimulatedCourse({ command: 'StartPreparation' }, [...fates, 'event'], { deliveries }).run();
}

/** Whatever the platform answers, loses, delays, doubles, or where the process ends. */
describe('StartPreparation in any course of events', () => {
  it('has exactly one outcome, which is true (guarantee 3) (rules 5, 10, 16, 17)', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        const { ends, isShownAtEnd, attempts } = play(course).first;
        expect(ends).toHaveLength(1);
        const { outcome } = ends[0]!;
        expect(['applied', 'refused', 'unconfirmed']).toContain(outcome);
        expect(outcome === 'applied').toBe(isShownAtEnd);
        expect(attempts).toBeGreaterThan(0);
        expect(attempts).toBeLessThanOrEqual(3);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is sent again only after an attempt of which nothing was heard (rules 16, 17)', () => {
    fc.assert(
      fc.property(anyCourse, (course) => {
        const unheard = play(course).first.sent.slice(0, -1);
        expect(unheard.filter((fate) => !/lost|time-out|crash|unavailable/.test(fate))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves the ERP with what is known, and no event for what its command did (guarantee 4) (rule 10)', () => {
    fc.assert(
      fc.property(anyCourse, fc.constantFrom(null, 300, 500, 800), (any, next) => {
        const course = play(any);
        // An event publishes a PATCH that was applied after its command had ended; only the result publishes any other
        // one.
        const wasLate = course.first.isShownAtEnd !== (course.status === 400);
        expect(course.published.revision).toBeLessThanOrEqual(wasLate ? 2 : 1);
        if (next !== null) {
          course.move(next);
          course.run();
        }
        expect(course.published.status).toBe(course.known);
      }),
      { numRuns: 2_000 },
    );
  });
});

const PDF = { uploadId: 'u' };
const INVOICE = { command: 'RegisterInvoice', number: '1', issuedAt: '2026-11-20T13:00:00Z' };
const picking = (price: string): JsonRecord => ({
  command: 'ReportPicking',
  finalOrderPrice: price,
  items: [{ skuExternalReference: '4711-1', outcome: 'picked' }],
});
const RECORDS: readonly JsonRecord[] = [
  { command: 'StartPreparation' },
  picking('12.00'),
  picking('11.00'),
  { ...INVOICE, value: '12.45', pdf: PDF },
  { ...INVOICE, value: '12.00', pdf: PDF },
  { ...INVOICE, value: '12.00' },
  { command: 'AttachInvoicePdf', pdf: PDF },
  { command: 'MarkReady' },
  { command: 'Ship' },
  { command: 'ConfirmDelivery' },
  { command: 'CancelOrder', reason: 'sem estoque' },
];
const COURSE_FATES: readonly Fate[] = [
  'event',
  'event, delayed',
  'silence',
  'refusal',
  'late refusal',
  'late event',
  'lost answer, applied',
  'lost answer, event',
  'lost answer, late event',
  'lost answer, refusal',
  'crash',
  'crash, event',
  'crash, late event',
  '500',
  'time-out',
  'overtaken by a cancellation',
];
const anyCommands: fc.Arbitrary<PlayedCommand[]> = fc
  .shuffledSubarray([...RECORDS], { minLength: 2, maxLength: 6 })
  .chain((records) =>
    fc.tuple(
      ...records.map((record) =>
        fc.array(fc.constantFrom(...COURSE_FATES), { minLength: 1, maxLength: 4 }).map((fates) => ({ record, fates })),
      ),
    ),
  );

const countOf = <T>(all: readonly T[], one: T): number => all.filter((each) => each === one).length;

/** Where both parts of an invoice are there, the platform sets 350 itself or not. */
const anyInvoice = fc.record({
  fates: fc.array(
    fc.constantFrom<Fate>('event', 'time-out', 'lost answer, event at once', 'crash', 'crash, event', '400'),
    { maxLength: 8 },
  ),
  becomesInvoiced: fc.boolean(),
  hasPdf: fc.boolean(),
  silentPdf: fc.constantFrom(undefined, 'attached' as const, 'lost' as const),
});

interface AnyInvoice {
  readonly fates: readonly Fate[];
  readonly becomesInvoiced: boolean;
  readonly hasPdf: boolean;
  readonly silentPdf: 'attached' | 'lost' | undefined;
}

function playInvoice(invoice: AnyInvoice): SimulatedCourse {
  const { fates, becomesInvoiced, hasPdf, silentPdf } = invoice;
  const record = { ...INVOICE, value: '12.45', ...(hasPdf && { pdf: PDF }) };
  const start = { becomesInvoiced, ...(silentPdf !== undefined && { silentPdf }) };
  return new SimulatedCourse(record, [...fates, 'event'], start).run();
}

describe('any course of an invoice', () => {
  const runs = { numRuns: sized(200, 2_000) };

  it('ends, with three registrations at most and one PDF, whatever is lost and wherever it stops (rules 15, 16)', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        const { end, first, pdfChecks, pdfUploads } = playInvoice(invoice);
        const steps = first.progress.attempts.map(({ step }) => step);
        expect(end).not.toBeNull();
        expect(Math.max(countOf(steps, 'register'), countOf(steps, 'status'))).toBeLessThanOrEqual(3);
        expect(pdfUploads).toBeLessThanOrEqual(1);
        expect(pdfChecks).toBe(Number(invoice.hasPdf));
      }),
      runs,
    );
  });

  it('is applied only where the platform has the registration, and says what is true of the PDF (rules 15, 16)', () => {
    fc.assert(
      fc.property(anyInvoice, (invoice) => {
        const { end, isRegistered, isAttached, pdfUploads } = playInvoice(invoice);
        const warnings = (end?.warnings ?? []).map(({ code }) => code);
        const isMissing = warnings.includes('PDF_MISSING');
        const isUnconfirmed = warnings.includes('PDF_UNCONFIRMED');
        const isAnswered = isAttached || isMissing || isUnconfirmed;
        expect({
          isFalselyApplied: end?.outcome === 'applied' && !(isRegistered && isAnswered),
          isFalselyWarned: (isMissing || isUnconfirmed) && (isAttached || !isRegistered),
          isVague: isUnconfirmed && invoice.silentPdf !== 'lost',
          isUnsaid: isRegistered && pdfUploads > 0 && !isAnswered,
        }).toEqual({ isFalselyApplied: false, isFalselyWarned: false, isVague: false, isUnsaid: false });
      }),
      runs,
    );
  });
});

/** Differences between an outcome and the platform. */
function wrongsOf(command: SimulatedCourse['commands'][number], { history, namelessRefusals }: SimulatedCourse) {
  const { judged, ends, corrected, attempts, effects, isShownAtEnd, refusals } = command;
  const { name, target } = judged.definition;
  const { outcome, reason } = ends[0] ?? { outcome: null, reason: null };
  const isRefused = outcome === 'refused' && reason?.code === 'PLATFORM_REFUSED';
  const isInvoice = target === ORDER_INVOICED;
  const isSeen = isInvoice || history.some((status) => status === target);
  const wrongs = {
    'has not one outcome': ends.length !== 1,
    // A refusal of a call whose answer was lost may be anybody's.
    'is refused without a refusal': isRefused && refusals + namelessRefusals === 0,
    // The status that follows the registration of an invoice with its PDF may be refused, and that PATCH's answer lost.
    'is refused although carried out': isRefused && isShownAtEnd && (!isInvoice || refusals + namelessRefusals === 0),
    'is applied but not carried out': outcome === 'applied' && effects === 0 && !isSeen,
    'was sent after all': (outcome === 'invalid' || outcome === 'unchanged') && attempts > 0,
    'is corrected too often': corrected.length > (outcome === 'unconfirmed' ? 1 : 0),
    'is corrected without a refusal': corrected.includes('refused') && refusals === 0,
    'is corrected but not carried out': corrected.includes('applied') && effects === 0,
  };
  return Object.entries(wrongs).flatMap(([wrong, isSo]) => (isSo ? `${name} ${wrong}` : []));
}

/**
 * How often a status is told again because a result told an earlier one in between: its notification came after that of
 * a late call, which had set the order back.
 */
function toldAgain({ told, history }: SimulatedCourse, status: number): number {
  const isBehind = (other: number): boolean => history.lastIndexOf(other) < history.lastIndexOf(status);
  return told.filter((each, at) => each === status && told[at - 2] === status && isBehind(told[at - 1]!)).length;
}

/** Statuses that are told more often than the order had them, but for what `toldAgain` explains. */
function toldTooOften(course: SimulatedCourse): number[] {
  const { told, history } = course;
  return told.filter((status) => countOf(told, status) > countOf(history, status) + toldAgain(course, status));
}

describe('a call that is carried out after the next command', () => {
  it('is heard of as a return of the order, beside the correction of its command (rule 10)', () => {
    const next = [{ record: { command: 'MarkReady' }, fates: ['event'] as const }];
    const course = new SimulatedCourse({ command: 'StartPreparation' }, ['late event'], { next }).run();
    expect(course.commands.map(({ ends, corrected }) => [ends[0]?.outcome, corrected])).toEqual([
      ['unconfirmed', ['applied']],
      ['applied', []],
    ]);
    expect(course.events).toMatchObject([
      { type: 'OrderApproved' },
      { type: 'OrderReopened', previousStatus: 500, status: 400, cause: { kind: 'command', commandId: 'c' } },
    ]);
  });
});

/** Also where the failure of one, `unconfirmed` by then, is heard while another is open. */
describe('several commands of one order in any course of events', () => {
  it('each have one true outcome, and cause no event too many (guarantees 3, 4) (rules 10, 15, 16, 17)', () => {
    fc.assert(
      fc.property(anyCommands, ([first, ...next]) => {
        const course = new SimulatedCourse(first!.record, first!.fates, { next }).run();
        const { events } = course;
        expect(course.commands.flatMap((each) => wrongsOf(each, course))).toEqual([]);
        expect(course.setBack).toEqual([]);
        expect(course.published.status).toBe(course.known);
        expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
        // Each change of the status is told once at most, by an event or a result.
        expect(toldTooOften(course)).toEqual([]);
        // The values of a delayed 1300 may be published with a later status.
        const picked = course.commands.filter(({ judged }) => judged.definition.target === VALUES_RECALCULATED);
        const recalculations = picked.reduce((sum, { effects }) => sum + effects, 0);
        const types = events.map(({ type }) => type);
        expect(countOf(types, 'ItemsRecalculated')).toBeLessThanOrEqual(recalculations);
        expect(countOf(types, 'OrderChanged')).toBeLessThanOrEqual(recalculations);
      }),
      { numRuns: sized(1_000, 20_000) },
    );
  });

  it('each have one outcome, and the ERP hears of no earlier state, whatever reads show late, as 1300 or as a page (rules 9, 16, 18)', () => {
    const anyLag = fc.constantFrom(0, 2_000, 20_000, 45_000, 600_000);
    const anyReads = fc.record({
      statusLagMs: anyLag,
      payloadLagMs: anyLag,
      shows1300: fc.boolean(),
      pages: fc.array(fc.boolean(), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(anyCommands, anyReads, ([first, ...next], reads) => {
        // A payload of 1300 cannot contradict a status of many minutes ago, which then counts once it is read again.
        fc.pre(!(reads.shows1300 && reads.statusLagMs > 60_000));
        const course = new SimulatedCourse(first!.record, first!.fates, { next, reads }).run();
        const { history, events } = course;
        // A read that is behind does not show what a lost answer did, and a repeat of it is refused as done.
        const wrongs = course.commands.flatMap((each) => wrongsOf(each, course));
        expect(wrongs.filter((wrong) => !wrong.endsWith('is refused although carried out'))).toEqual([]);
        expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
        expect(course.published.status).toBe(course.known);
        expect(toldTooOften(course)).toEqual([]);
        const hasReturned = history.some((status, index) => index > 0 && isReturn(history[index - 1]!, status));
        expect(events.some(({ type }) => type === 'OrderReopened') && !hasReturned).toBe(false);
      }),
      { numRuns: sized(200, 5_000) },
    );
  });

  it('each have one true outcome, whatever reads are answered by 1300 or a page (rules 7, 16)', () => {
    const anyReads = fc.record({
      statusLagMs: fc.constant(0),
      payloadLagMs: fc.constant(0),
      shows1300: fc.boolean(),
      pages: fc.array(fc.boolean(), { maxLength: 6 }),
      stray1300: fc.array(fc.boolean(), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(anyCommands, anyReads, ([first, ...next], reads) => {
        const course = new SimulatedCourse(first!.record, first!.fates, { next, reads }).run();
        // Where reads keep 1300, none shows what a lost answer did, and a repeat of it is refused as done.
        const wrongs = course.commands.flatMap((each) => wrongsOf(each, course));
        const isHidden = (wrong: string) => reads.shows1300 && wrong.endsWith('is refused although carried out');
        expect(wrongs.filter((wrong) => !isHidden(wrong))).toEqual([]);
        expect(course.published.status).toBe(course.known);
      }),
      { numRuns: sized(500, 10_000) },
    );
  });
});
