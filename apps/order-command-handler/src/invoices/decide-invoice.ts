import { isSameMoney } from '@gondola/shared/units-and-money/money';
import { CLOSED_TO_COMMANDS, ENDS_INVOICING, ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { Evidence } from '@gondola/shared/results/outcomes';
import type { AttemptMarker } from '../commands/command-progress.ts';
import {
  type CommandSettings,
  type OrderConclusion,
  type Decision,
  LAG_WAIT_MS,
  type Problem,
  conclude,
  deadlineStep,
  invalid,
  overtaken,
} from '../commands/decision.ts';
import {
  untilRegistered,
  type InvoiceSituation,
  firstMarker,
  invoicedByCommand,
  untilInvoiced,
} from './invoice-steps.ts';
import { statusOf } from '../orders/order-state.ts';
import type { PdfOutcome } from './pdf-outcome.ts';
import { evidenceOf } from '../commands/sent-change.ts';

/**
 * `RegisterInvoice` and `AttachInvoicePdf`: one command, one saga that goes on wherever it stopped (rules 14–17).
 *
 *   queued ── not allowed, another price ──────────────────────────────▶ invalid
 *     ├────── 350 already: nothing is registered; its PDF, if it has one, goes on below
 *     ▼
 *   PDF, if it has one: can it be attached? ── no ─────────────────────▶ invalid     NOT_PDF, UPLOAD_UNKNOWN (rule 33)
 *     ▼
 *   register: PUT invoiced (answer lost: status, payload, the same PUT) ─▶ refused     PLATFORM_REFUSED, ORDER_UNKNOWN
 *     ▼                └── without a PDF: the registration is read back ─▶ applied     with PDF_MISSING
 *   PDF: the file gateway is asked, once ── its no ────────────────────▶ refused     its reason, with PDF_MISSING
 *     │                               └── attached already, nothing sent ▶ unchanged   if the order was invoiced
 *     ▼
 *   status: 350 by itself, read with backoff ──────────────────────────▶ applied
 *     ▼ else, if the registration shows (if not: register)
 *   PATCH ORDER_INVOICED ──────────────────────────────────────────────▶ applied, refused
 *
 *   at any time: 750 800 1000 1100 1200 ─▶ refused ORDER_CANCELLED; the deadline ─▶ unconfirmed
 *
 * Nothing here is remembered but what is in `progress` and in the facts, and each step is written there before its
 * call.
 */
export function decideInvoice(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const marker = firstMarker(situation);
  if (marker === null) return beforeBeginning(situation, settings);
  const end = endOf(situation, marker);
  if (end !== null) return warned(situation, end);
  const { deadlineInMs } = situation;
  const next =
    deadlineInMs !== null && deadlineInMs <= 0 ? afterDeadline(situation, settings) : nextStep(situation, settings);
  return next.kind === 'conclude' ? warned(situation, next) : next;
}

function beforeBeginning(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { state, value, finalPrice } = situation;
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  if (value !== null && state.paid && status === ORDER_INVOICED)
    return askPdf(situation) ?? conclude('unchanged', 'already-in-state');
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('ORDER_CANCELLED');
  if (!state.paid) return invalid('NOT_PAID');
  if (value === null) return askPdf(situation) ?? invalid('PDF_MISSING');
  if (finalPrice !== null && !isSameMoney(value, finalPrice))
    return invalid('PRICE_MISMATCH', { given: value, expected: finalPrice }, 'value');
  return untilChecked(situation, settings) ?? { kind: 'send', step: 'register' };
}

/**
 * Rule 33: a PDF that cannot be attached ends the command before anything is registered; null once it can. While the
 * file gateway says nothing, nothing is sent. What it found good is there for one invoice more; where the platform
 * could not be called for longer than that, it may be gone.
 */
function untilChecked(
  { progress, pdf, pdfCheck, nowMs }: InvoiceSituation,
  { invoiceMs }: CommandSettings,
): Decision | null {
  if (pdf === null) return null;
  if (progress.pdfCheckAsked === null) return { kind: 'check-pdf', content: pdf };
  if (pdfCheck === null) return { kind: 'wait', ms: null };
  if (pdfCheck.kind === 'bad') return conclude('invalid', 'none', { given: pdfCheck.reason });
  if (pdfCheck.kind === 'good' && nowMs > pdfCheck.untilMs - invoiceMs) return invalid('UPLOAD_UNKNOWN', {}, 'pdf');
  return null;
}

/** The end that the facts give, whatever was to be done next. */
function endOf(situation: InvoiceSituation, marker: AttemptMarker): Decision | null {
  const { state, pdf, pdfOutcome } = situation;
  const invoiced = invoicedByCommand(situation);
  if (isUnchanged(situation) && wasInvoiced(situation)) return conclude('unchanged', 'already-in-state');
  // A 350 says more than an upload of which nothing was heard.
  const isAttached = pdf === null || isDone(pdfOutcome) || (invoiced !== null && pdfOutcome?.outcome === 'unconfirmed');
  if (isAttached && invoiced !== null) return applied(evidenceOf(invoiced), ORDER_INVOICED);
  if (onlyAttaches(situation) && isAttached && wasInvoiced(situation))
    return applied(pdfOutcome?.evidence ?? 'none', null);
  const fact = state?.statusFact ?? null;
  if (fact?.status == null || !ENDS_INVOICING.has(fact.status) || fact.status === marker.before.status) return null;
  return overtaken(evidenceOf(fact));
}

function nextStep(situation: InvoiceSituation, settings: CommandSettings): Decision {
  if (!onlyAttaches(situation)) {
    const registering = untilRegistered(situation, settings);
    if (registering !== null) return registering;
    if (situation.pdf === null) return applied('read-back', null);
    // It was invoiced before: whatever it is now, it is not set back.
    const { pdfOutcome } = situation;
    if (isDone(pdfOutcome) && wasInvoiced(situation)) return applied(pdfOutcome?.evidence ?? 'none', null);
  }
  return askPdf(situation) ?? afterPdf(situation, settings);
}

/** Nothing is registered: only a PDF was asked for, or the order was invoiced when the command began. */
function onlyAttaches({ value, progress: { attempts, pdfAsked } }: InvoiceSituation): boolean {
  return value === null || (pdfAsked !== null && attempts.every(({ step }) => step !== 'register'));
}

function wasInvoiced({ state }: InvoiceSituation): boolean {
  return state?.facts.some((fact) => !fact.failure && fact.status === ORDER_INVOICED) === true;
}

/** Neither the file gateway nor this app has sent anything. */
function isUnchanged({ progress: { attempts }, pdfOutcome }: InvoiceSituation): boolean {
  return attempts.length === 0 && pdfOutcome?.outcome === 'unchanged';
}

/** Null once the file gateway was asked. */
function askPdf({ state, progress, pdf }: InvoiceSituation): Decision | null {
  if (progress.pdfAsked !== null || pdf === null) return null;
  const orderId = state?.orderId ?? null;
  if (orderId !== null) return { kind: 'ask-pdf', orderId, content: pdf };
  // Known from the first notification, as a rule; else it is read once (rule 33).
  if (progress.payload?.purpose !== 'order-id') return { kind: 'read-payload', purpose: 'order-id' };
  return conclude(progress.attempts.length === 0 ? 'invalid' : 'refused', 'none', { code: 'ORDER_UNKNOWN' });
}

function afterPdf(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { pdfOutcome, deadlineInMs, progress } = situation;
  if (pdfOutcome === null) return { kind: 'wait', ms: deadlineInMs };
  if (isDone(pdfOutcome) || pdfOutcome.outcome === 'unconfirmed') return untilInvoiced(situation, settings);
  const { outcome, evidence, reason, platform } = pdfOutcome;
  const why = reason === null ? { code: 'PLATFORM_REFUSED' as const } : { given: reason };
  const isUnsent = outcome === 'invalid' && progress.attempts.length === 0;
  return conclude(isUnsent ? 'invalid' : 'refused', evidence, why, platform);
}

/**
 * The truth is read once more, status and registration; then it is `unconfirmed`, unless the facts have said something.
 */
function afterDeadline(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress, value, pdf } = situation;
  const isStatusRead = progress.read?.purpose === 'deadline';
  const hasRead = isStatusRead && (value === null || progress.payload?.purpose === 'deadline');
  const next = deadlineStep(situation, hasRead, settings);
  if (next === 'catch-up') return { kind: 'wait', ms: LAG_WAIT_MS };
  if (next === 'read') {
    return isStatusRead ? { kind: 'read-payload', purpose: 'deadline' } : { kind: 'read', purpose: 'deadline' };
  }
  if (pdf === null && progress.payload?.registered === true) return applied('read-back', null);
  return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
}

function isDone(pdf: PdfOutcome | null): boolean {
  return pdf?.outcome === 'applied' || pdf?.outcome === 'unchanged';
}

function applied(evidence: Evidence, setsStatus: number | null): Decision & { kind: 'conclude' } {
  const { conclusion } = conclude('applied', evidence);
  return { kind: 'conclude', conclusion: { ...conclusion, setsStatus } };
}

/** "Registered, no PDF" and "price not checked" are said with every end that leaves them so. */
function warned(situation: InvoiceSituation, decision: Decision): Decision {
  if (decision.kind !== 'conclude') return decision;
  const { value, finalPrice, pdfOutcome, progress } = situation;
  const { outcome } = decision.conclusion;
  const isRegistered =
    outcome === 'applied' ||
    progress.payload?.registered === true ||
    progress.attempts.some(({ step, answer }) => step === 'register' && answer.kind === 'accepted');
  const isRefused = outcome === 'refused' && progress.pdfAsked === null;
  const warnings: Problem[] = [];
  if (value !== null && isRegistered && !isRefused && !isDone(pdfOutcome))
    warnings.push({ code: 'PDF_MISSING', field: 'pdf' });
  const { priceBefore } = progress.attempts[0] ?? { priceBefore: finalPrice };
  if (value !== null && priceBefore === null) warnings.push({ code: 'PRICE_UNKNOWN', field: 'value' });
  const conclusion: OrderConclusion = { ...decision.conclusion, warnings };
  return { kind: 'conclude', conclusion };
}
