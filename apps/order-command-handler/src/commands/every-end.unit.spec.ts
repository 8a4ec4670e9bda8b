import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { sized } from '@gondola/local-stack/testing/sized';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ORDER_COMMAND_NAMES } from './order-commands.ts';
import { COMMAND_SETTINGS } from '../../test/support/command-settings.ts';
import { type CourseStart, SimulatedCourse } from '../../test/support/simulated-course.ts';
import type { Fate } from '../../test/support/simulated-order.ts';

/**
 * Course of a command at the platform, as the fates of its calls; of a command that only reads, as those of its first
 * reads.
 */
const COURSES = {
  'no call': [],
  event: ['event'],
  silence: ['silence'],
  refusal: ['refusal', 'refusal'],
  'lost answer, applied': ['lost answer, applied'],
  'lost answer, not applied': ['time-out', 'event'],
  '500s': ['500'],
  'time-outs': ['time-out'],
  'already so': ['event'],
  'overtaken by a cancellation': ['overtaken by a cancellation'],
} as const satisfies Readonly<Record<string, readonly Fate[]>>;

type Course = keyof typeof COURSES;

/** Courses at the platform, each with its outcome, evidence, attempts and reason, or why it cannot apply. */
type End =
  | [Course, FinalOutcome, Evidence, attempts: number, ReasonCode | null]
  | [Course, 'cannot apply', why: string];

const CALLS: End = ['no call', 'cannot apply', 'the command changes something at the platform'];

const STATUS_COMMAND: readonly End[] = [
  CALLS,
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
  CALLS,
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
  CALLS,
  ['event', 'applied', 'event', 1, null],
  ['silence', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['refusal', 'refused', 'event', 1, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'applied', 'event', 1, null],
  ['lost answer, not applied', 'applied', 'event', 2, null],
  ['500s', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['time-outs', 'unconfirmed', 'none', 3, 'PLATFORM_SILENT'],
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'refused', 'event', 1, 'ORDER_CANCELLED'],
];

/** For an invoice that was registered before: the PATCH alone makes the order 350. */
const ATTACH_INVOICE_PDF: readonly End[] = [
  CALLS,
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
  CALLS,
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

/** Nothing is sent, so it has no deadline: it waits until the platform answers its reads. */
const REFRESH_ORDER: readonly End[] = [
  ['no call', 'cannot apply', 'the command reads'],
  ['event', 'applied', 'read-back', 0, null],
  ['silence', 'applied', 'read-back', 0, null],
  ['refusal', 'refused', 'read-back', 0, 'PLATFORM_REFUSED'],
  ['lost answer, applied', 'cannot apply', 'a read changes nothing'],
  ['lost answer, not applied', 'cannot apply', 'a read changes nothing'],
  ['500s', 'applied', 'read-back', 0, null],
  ['time-outs', 'applied', 'read-back', 0, null],
  ['already so', 'applied', 'read-back', 0, null],
  ['overtaken by a cancellation', 'applied', 'read-back', 0, null],
];

const NOT_CALLING: readonly End[] = (
  ['event', 'silence', 'refusal', 'lost answer, applied', 'lost answer, not applied', '500s', 'time-outs'] as const
).map((course) => [course, 'cannot apply', 'the command calls nobody']);

const RELEASE_ORDER: readonly End[] = [
  ['no call', 'applied', 'none', 0, null],
  ...NOT_CALLING,
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'invalid', 'none', 0, 'ORDER_CANCELLED'],
];

/** The cancellation ends the command that it names. */
const WITHDRAW_COMMAND: readonly End[] = [
  ['no call', 'applied', 'none', 0, null],
  ...NOT_CALLING,
  ['already so', 'unchanged', 'already-in-state', 0, null],
  ['overtaken by a cancellation', 'invalid', 'none', 0, 'ALREADY_SENT'],
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

/** A command that changes nothing at the platform. */
interface CaseOfGondola extends Case {
  /** How the order is where a cancellation came first. */
  readonly overtaken: CourseStart;
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

const NAMED = { commandId: 'c-1', outcome: null, isSent: false } as const;
const CASES_OF_GONDOLA: readonly CaseOfGondola[] = [
  {
    command: 'RefreshOrder',
    fields: {},
    ends: REFRESH_ORDER,
    before: { lost: 400 },
    alreadySo: {},
    overtaken: { lost: 800 },
  },
  {
    command: 'ReleaseOrder',
    fields: {},
    ends: RELEASE_ORDER,
    before: { status: 400, paid: false },
    alreadySo: { status: 400 },
    overtaken: { status: 800, paid: false },
  },
  {
    command: 'WithdrawCommand',
    fields: { withdraws: NAMED.commandId },
    ends: WITHDRAW_COMMAND,
    before: { named: NAMED },
    alreadySo: { named: { ...NAMED, outcome: 'withdrawn' } },
    overtaken: { status: 800, named: { ...NAMED, outcome: 'invalid' } },
  },
];

it('has every command (guarantee 3)', () => {
  const names = [...CASES, ...CASES_OF_GONDOLA].map(({ command }) => command);
  expect(names.toSorted()).toEqual(ORDER_COMMAND_NAMES.toSorted());
});

describe.each<Case & Partial<CaseOfGondola>>([...CASES, ...CASES_OF_GONDOLA])('$command (guarantee 3)', (each) => {
  const { command, fields, ends, before, alreadySo, overtaken = before } = each;
  const applicable = ends.filter((end) => end[1] !== 'cannot apply');

  it.each(applicable)('%s: %s, evidence %s, %i attempts, %s (rules 5, 10, 15, 16, 17)', (name, ...expected) => {
    const starts: Partial<Record<Course, CourseStart>> = {
      'already so': alreadySo,
      'overtaken by a cancellation': overtaken,
    };
    const course = new SimulatedCourse({ command, ...fields }, COURSES[name], starts[name] ?? before).run();
    const { outcome, evidence, reason } = course.end ?? { outcome: null, evidence: null, reason: null };
    expect([outcome, evidence, course.attempts, reason?.code ?? null]).toEqual(expected);
  });

  it('has an end for every course, or says why that cannot apply', () => {
    expect(ends.map(([name]) => name)).toEqual(Object.keys(COURSES));
  });
});

const MINUTES_MS = 120_000;
/** Answers of the platform, or of a gateway before it, while no change gets through. */
const OUTAGES: Readonly<Record<string, AttemptAnswer>> = {
  '500': { kind: 'unknown', cause: 'server-error', status: 500 },
  '502': { kind: 'unknown', cause: 'server-error', status: 502 },
  '503': { kind: 'unknown', cause: 'server-error', status: 503 },
  '504': { kind: 'unknown', cause: 'server-error', status: 504 },
  redirect: { kind: 'unknown', cause: 'server-error', status: 302 },
  'time-out': { kind: 'unknown', cause: 'timeout' },
  'a cut connection': { kind: 'unknown', cause: 'dropped' },
};
const REFUSAL_EVENTS = ['Operation_Failed', 'Order_UpdateFailed', 'Order_StatusUpdateFailed', 'Order_CancelFailed'];

describe.each(CASES)('$command beside what others meet', ({ command, fields, before }) => {
  it.each(Object.entries(OUTAGES))(
    'is applied after two minutes in which changes alone are answered by %s (rule 17)',
    (_, answer) => {
      const outage = { ms: MINUTES_MS, answer };
      const course = new SimulatedCourse({ command, ...fields }, ['event'], { ...before, outage }).run();
      expect([course.end?.outcome, course.attempts]).toEqual(['applied', 3]);
    },
  );

  it('is applied after an outage of changes of half of its deadline, as its last attempt is late (rule 17)', () => {
    const ms = command.includes('Invoice') ? COMMAND_SETTINGS.invoiceMs / 2 : COMMAND_SETTINGS.deadlineMs / 2;
    const outage = { ms, answer: OUTAGES['503']! };
    const course = new SimulatedCourse({ command, ...fields }, ['event'], { ...before, outage }).run();
    expect([course.end?.outcome, course.attempts]).toEqual(['applied', 3]);
  });

  it.each(REFUSAL_EVENTS)('is not refused by a late %s of an earlier unconfirmed command (rule 10)', (refusedLate) => {
    for (const fate of ['event', 'time-out', 'lost answer, applied'] as const) {
      const start = { ...before, refusedLate };
      const course = new SimulatedCourse({ command, ...fields }, [fate, 'event'], start).run();
      expect([fate, course.end?.outcome, course.corrected]).toEqual([fate, 'applied', ['refused']]);
    }
  });
});

describe.each(CASES)('$command in any course (guarantee 3)', ({ command, fields, before, alreadySo }) => {
  it('has one true outcome, whatever happens to its calls (rule 16)', () => {
    const fate = fc.constantFrom(...Object.values(COURSES).flat());
    const refusedLate = fc.option(fc.constantFrom(...REFUSAL_EVENTS), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fate, { minLength: 1, maxLength: 4 }), refusedLate, (fates, late) => {
        const start = { ...before, ...(late !== undefined && { refusedLate: late }) };
        const course = new SimulatedCourse({ command, ...fields }, fates, start).run();
        expect(course.corrected).toEqual(late === undefined || course.attempts === 0 ? [] : ['refused']);
        const isPriced = course.effects > 0 && course.status !== 800;
        const isTrue = alreadySo.status === undefined ? isPriced : course.status === alreadySo.status;
        expect(course.end?.outcome === 'applied').toBe(isTrue);
        expect(course.attempts).toBeLessThanOrEqual(command === 'RegisterInvoice' ? 6 : 3);
      }),
      { numRuns: sized(200, 2_000) },
    );
  });
});
