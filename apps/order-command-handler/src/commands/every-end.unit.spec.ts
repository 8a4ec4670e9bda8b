import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/results/outcomes';
import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type CourseStart, type Fate, SimulatedCourse } from '../../test/support/simulated-course.ts';

/** What becomes of a command at the platform, as the fates of its calls. */
const COURSES = {
  event: ['event'],
  silence: ['silence'],
  refusal: ['refusal'],
  'lost answer, applied': ['lost answer, applied'],
  'lost answer, not applied': ['time-out', 'event'],
  '500s': ['500'],
  'time-outs': ['time-out'],
  'already so': ['event'],
  'overtaken by a cancellation': ['overtaken by a cancellation'],
} as const satisfies Readonly<Record<string, readonly Fate[]>>;

type Course = keyof typeof COURSES;

/** What becomes of it at the platform, and how it ends then: outcome, evidence, attempts, reason. */
type End = [Course, FinalOutcome, Evidence, attempts: number, ReasonCode | null];

const STATUS_COMMAND: readonly End[] = [
  ['event', 'applied', 'event', 1, null],
  ['silence', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
  ['refusal', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'read-back', 1, null],
  ['lost answer, not applied', 'applied', 'event', 2, null],
  ['500s', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'refused', 'read-back', 1, 'ORDER_CANCELLED'],
];

/** A price says nothing that was known before, so it is reported again. */
const REPORT_PICKING: readonly End[] = [
  ['event', 'applied', 'event', 1, null],
  ['silence', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
  ['refusal', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'read-back', 1, null],
  ['lost answer, not applied', 'applied', 'event', 2, null],
  ['500s', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['already so', 'applied', 'event', 1, null],
  ['overtaken by a cancellation', 'refused', 'read-back', 1, 'ORDER_CANCELLED'],
];

/**
 * With a PDF: the order becomes 350 by itself once both parts are there. One registration goes three times at most.
 */
const REGISTER_INVOICE: readonly End[] = [
  ['event', 'applied', 'event', 1, null],
  ['silence', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['refusal', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'event', 1, null],
  ['lost answer, not applied', 'applied', 'event', 2, null],
  ['500s', 'refused', 'read-back', 3, 'PLATFORM_REFUSED'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'refused', 'event', 1, 'ORDER_CANCELLED'],
];

/** Of an invoice that was registered before: the order becomes 350 by the PATCH alone. */
const ATTACH_INVOICE_PDF: readonly End[] = [
  ['event', 'applied', 'event', 1, null],
  ['silence', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
  ['refusal', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'read-back', 1, null],
  ['lost answer, not applied', 'applied', 'event', 2, null],
  ['500s', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'refused', 'event', 1, 'ORDER_CANCELLED'],
];

/** That somebody else cancels the order is what it wants. */
const CANCEL_ORDER: readonly End[] = [
  ['event', 'applied', 'event', 1, null],
  ['silence', 'unconfirmed', 'none', 1, 'PLATFORM_SILENT'],
  ['refusal', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'read-back', 1, null],
  ['lost answer, not applied', 'applied', 'event', 2, null],
  ['500s', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'applied', 'event', 1, null],
];

const STATUSES = [
  ['StartPreparation', 400],
  ['MarkReady', 500],
  ['Ship', 600],
  ['ConfirmDelivery', 700],
  ['ReportDeliveryFailure', 900],
  ['RegisterReturn', 1000],
] as const;
const ITEMS = [{ skuExternalReference: '4711-1', outcome: 'picked' }];
const INVOICE = { number: '1', issuedAt: '2026-11-20T13:00:00Z', value: '12.45', pdf: { uploadId: 'u' } };
const INVOICED = { status: 350, registered: true, attached: true };

interface Case {
  readonly command: string;
  readonly fields: JsonRecord;
  readonly ends: readonly End[];
  readonly before: CourseStart;
  /** How the order is where it is already as the command wants it. */
  readonly alreadySo: CourseStart;
}

const CASES: readonly Case[] = [
  ...STATUSES.map(([command, status]) => ({
    command,
    fields: {},
    ends: STATUS_COMMAND,
    before: {},
    alreadySo: { status },
  })),
  {
    command: 'ReportPicking',
    fields: { finalOrderPrice: '12.00', items: ITEMS },
    ends: REPORT_PICKING,
    before: {},
    alreadySo: {},
  },
  { command: 'RegisterInvoice', fields: INVOICE, ends: REGISTER_INVOICE, before: { status: 400 }, alreadySo: INVOICED },
  {
    command: 'AttachInvoicePdf',
    fields: { pdf: { uploadId: 'u' } },
    ends: ATTACH_INVOICE_PDF,
    before: { status: 400, registered: true },
    alreadySo: INVOICED,
  },
  {
    command: 'CancelOrder',
    fields: { reason: 'sem estoque' },
    ends: CANCEL_ORDER,
    before: {},
    alreadySo: { status: 800 },
  },
];

describe.each(CASES)('$command (guarantee 3)', ({ command, fields, ends, before, alreadySo }) => {
  it.each([...ends])('%s: %s, evidence %s, %i attempts, %s (rules 5, 10, 15, 16, 17)', (name, ...expected) => {
    const start = name === 'already so' ? alreadySo : before;
    const course = new SimulatedCourse({ command, ...fields }, COURSES[name], start).run();
    const { outcome, evidence, reason } = course.end ?? { outcome: null, evidence: null, reason: null };
    expect([outcome, evidence, course.attempts, reason?.code ?? null]).toEqual(expected);
  });

  it('has an end for every course', () => {
    expect(ends.map(([name]) => name)).toEqual(Object.keys(COURSES));
  });

  it('ends once and says what is true, whatever becomes of its calls (rule 16)', () => {
    const fate = fc.constantFrom(...Object.values(COURSES).flat());
    fc.assert(
      fc.property(fc.array(fate, { minLength: 1, maxLength: 4 }), (fates) => {
        const course = new SimulatedCourse({ command, ...fields }, fates, before).run();
        const isPriced = course.effects > 0 && course.status !== 800;
        const isTrue = alreadySo.status === undefined ? isPriced : course.status === alreadySo.status;
        expect(course.end?.outcome === 'applied').toBe(isTrue);
        expect(course.attempts).toBeLessThanOrEqual(command === 'RegisterInvoice' ? 6 : 3);
      }),
      { numRuns: sized(200, 2_000) },
    );
  });
});
