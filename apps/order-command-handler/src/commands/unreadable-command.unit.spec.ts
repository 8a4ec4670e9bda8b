import { sized } from '@gondola/local-stack/testing/sized';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { COMMAND_SETTINGS, NOTHING_LOADED } from '../../test/support/command-settings.ts';
import { stateFact } from '../../test/support/facts.ts';
import { type CourseStart, SimulatedCourse } from '../../test/support/simulated-course.ts';
import type { Fate } from '../../test/support/simulated-order.ts';
import { foldFacts } from '../facts/order-state.ts';
import { planLane } from '../lanes/lane-plan.ts';
import type { PdfOutcome } from '../pdf-results/pdf-outcome.ts';
import { NOT_STARTED } from './command-progress.ts';
import { ORDER_COMMAND_NAMES } from './order-commands.ts';
import { judgeCommand } from './read-command.ts';

const PDF = { pdf: { uploadId: 'u' } };
const INVOICE = { number: '1', issuedAt: '2026-11-20T13:00:00Z', value: '12.45' };
const NAMED = { commandId: 'c-1', outcome: null, isSent: false } as const;

/** Each command, with the order that it may be about. */
const COMMANDS: ReadonlyArray<{ readonly record: JsonRecord; readonly starts: readonly CourseStart[] }> = [
  ...['StartPreparation', 'MarkReady', 'Ship', 'ConfirmDelivery', 'ReportDeliveryFailure', 'RegisterReturn'].map(
    (command) => ({ record: { command }, starts: [{}] }),
  ),
  {
    record: {
      command: 'ReportPicking',
      finalOrderPrice: '12.00',
      items: [{ skuExternalReference: '4711-1', outcome: 'picked' }],
    },
    starts: [{}],
  },
  { record: { command: 'RegisterInvoice', ...INVOICE }, starts: [{}, { status: 400 }] },
  {
    record: { command: 'RegisterInvoice', ...INVOICE, ...PDF },
    starts: [
      { status: 400 },
      { status: 400, becomesInvoiced: false },
      { status: 400, silentPdf: 'attached' },
      { status: 400, silentPdf: 'lost' },
      { status: 350, registered: true },
      { status: 350, registered: true, attached: true },
    ],
  },
  {
    record: { command: 'AttachInvoicePdf', ...PDF },
    starts: [
      { status: 400 },
      { status: 400, registered: true },
      { status: 400, registered: true, silentPdf: 'attached' },
      { status: 350, registered: true },
      { status: 350, registered: true, attached: true },
    ],
  },
  { record: { command: 'CancelOrder', reason: 'sem estoque' }, starts: [{}] },
  { record: { command: 'RefreshOrder' }, starts: [{ lost: 400 }] },
  { record: { command: 'ReleaseOrder' }, starts: [{ status: 400, paid: false }] },
  { record: { command: 'WithdrawCommand', withdraws: 'c-1' }, starts: [{ named: NAMED }] },
];

const FATES: readonly Fate[] = [
  'event',
  'event, delayed',
  'silence',
  'refusal',
  'late refusal',
  'late event',
  'lost answer, event',
  'lost answer, applied',
  'lost answer, refusal',
  '500',
  'time-out',
  'crash',
  'crash, event',
  '400',
  'unavailable',
  'overtaken by a cancellation',
];

const anyCommand = fc
  .constantFrom(...COMMANDS)
  .chain(({ record, starts }) => fc.record({ record: fc.constant(record), start: fc.constantFrom(...starts) }));

it('has every command', () => {
  const names = new Set(COMMANDS.map(({ record }) => record['command'] as string));
  expect([...names].toSorted()).toEqual(ORDER_COMMAND_NAMES.toSorted());
});

describe('a command whose record becomes unreadable at any step of its course', () => {
  it('ends once, and never as invalid or unchanged if anything was sent for it (guarantee 3)', () => {
    fc.assert(
      fc.property(
        anyCommand,
        fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }),
        fc.nat(14),
        ({ record, start }, fates, unreadableFrom) => {
          const course = new SimulatedCourse(record, fates, { ...start, unreadableFrom }).run();
          const { ends, corrected, attempts, effects, refusals } = course.first;
          expect(ends).toHaveLength(1);
          const { outcome } = ends[0]!;
          const hasPdf = course.pdfUploads > 0 && !(start.attached === true && attempts === 0);
          const isSent = attempts > 0 || hasPdf;
          expect({
            isDenied: isSent && (outcome === 'invalid' || outcome === 'unchanged'),
            isFalselyApplied: outcome === 'applied' && attempts > 0 && effects === 0 && course.status === 300,
            isFalselyRefused:
              outcome === 'refused' &&
              refusals + course.namelessRefusals === 0 &&
              !fates.some((fate) => fate === '400' || fate === 'overtaken by a cancellation') &&
              record['command'] !== 'RefreshOrder',
            isCorrectedTooOften: corrected.length > (outcome === 'unconfirmed' ? 1 : 0),
            isFalselyCorrected: corrected.includes('applied') && effects === 0,
          }).toEqual({
            isDenied: false,
            isFalselyApplied: false,
            isFalselyRefused: false,
            isCorrectedTooOften: false,
            isFalselyCorrected: false,
          });
        },
      ),
      { numRuns: sized(1_500, 20_000) },
    );
  });
});

const paid = stateFact(300, '2026-11-20T10:00:00.0000000');
const MARKER = {
  at: '2026-11-20T13:00:00Z',
  seenFactId: paid.id,
  before: { status: 300, ticks: '1', hash: paid.hash },
};
const UNREADABLE = judgeCommand({ commandId: 'c' }, { language: 'en', units: {} });

/** Outcome of an unreadable command that only asked for its PDF; null while it waits. */
function afterPdf(pdfOutcome: PdfOutcome | null, deadlineInMs = 1): string | null {
  const nowMs = Date.parse('2026-11-20T14:00:00Z');
  const progress = { ...NOT_STARTED, pdfAsked: MARKER };
  const named = { traceparent: '', named: null, pdfCheck: null };
  const head = { ...named, commandId: 'c', judged: UNREADABLE, progress, deadlineInMs, pdfOutcome };
  const situation = { ...NOTHING_LOADED, state: foldFacts([paid]), heads: [head] };
  const plan = planLane(situation, { nowMs, isLagging: false }, { language: 'en', settings: COMMAND_SETTINGS });
  return plan.concluded[0]?.conclusion.outcome ?? null;
}

describe('an unreadable command that asked file-gateway for its PDF', () => {
  it.each<[FinalOutcome, number, string]>([
    ['applied', 1, 'applied'],
    ['unchanged', 0, 'unchanged'],
    ['refused', 1, 'refused'],
    ['unconfirmed', 1, 'unconfirmed'],
    ['invalid', 0, 'invalid'],
    ['invalid', 1, 'refused'],
  ])('ends by its result: %s after %i uploads is %s (guarantee 3)', (outcome, attempts, expected) => {
    expect(afterPdf({ outcome, evidence: 'none', reason: null, platform: null, attempts })).toBe(expected);
  });

  it('waits for its result until the deadline, and then is unconfirmed (guarantee 3)', () => {
    expect([afterPdf(null, 1), afterPdf(null, 0)]).toEqual([null, 'unconfirmed']);
  });
});
