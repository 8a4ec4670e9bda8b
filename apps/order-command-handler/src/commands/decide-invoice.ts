import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { platformMoment } from '@gondola/shared/time';
import { isCentsOf, isSameMoney } from '@gondola/shared/units-and-money/money';
import { CLOSED_TO_COMMANDS, ENDS_INVOICING, ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { AttemptMarker } from './command-progress.ts';
import {
  type CommandSettings,
  type OrderConclusion,
  type Decision,
  LAG_WAIT_MS,
  type Problem,
  conclude,
  deadlineStep,
  invalid,
  mayRead,
  overtaken,
} from './decision.ts';
import {
  isAlone,
  isOwnBefore,
  isShown,
  shownBy,
  untilQuiet,
  untilRegistered,
  type InvoiceSituation,
  firstMarker,
  invoicedByCommand,
  isRegistrationRefused,
  readUntilInvoiced,
  refusedRegistration,
  untilInvoiced,
} from './invoice-steps.ts';
import { isInvoiced, statusOf, wasInvoiced } from '../facts/order-state.ts';
import { isStoredAfter } from '../facts/order-fact.ts';
import type { PdfOutcome } from '../pdf-results/pdf-outcome.ts';
import { evidenceOf } from './sent-change.ts';
import { whichInvoice } from '../orders/which-invoice.ts';

/**
 * `RegisterInvoice` and `AttachInvoicePdf`: one resumable saga (rules 14–17, 33).
 *
 *   queued ── not allowed, another price ──────────────────────────────▶ invalid
 *     ├────── 350 already: nothing is registered; its PDF, if it has one, goes on below
 *     ▼
 *   PDF, if it has one: can it be attached? ── no ─────────────────────▶ invalid     NOT_PDF, UPLOAD_UNKNOWN
 *     ▼
 *   register: PUT invoiced (answer lost: status, payload, the same PUT) ─▶ refused     PLATFORM_REFUSED …
 *     ▼                └── without a PDF: the registration is read back ─▶ applied     with PDF_MISSING
 *   PDF: file-gateway is asked once ── it refuses ─────────────────────▶ refused     its reason, with PDF_MISSING
 *     │                  │            └── attached already, nothing sent ▶ unchanged   if the order was invoiced
 *     │                  └── silent, and no payload shows the PDF ─────▶ unconfirmed; applied at 350; PDF_UNCONFIRMED
 *     ▼
 *   status: 350 by itself, read with backoff ──────────────────────────▶ applied
 *     ▼ else, if the registration shows (if not: register; a PDF alone ends applied with REGISTRATION_MISSING)
 *   PATCH ORDER_INVOICED ──────────────────────────────────────────────▶ applied, refused
 *
 *   at any time: 750 800 1000 1100 1200 ─▶ refused ORDER_CANCELLED; the deadline ─▶ unconfirmed
 *
 * All state is in `progress` and in the facts. Each step is stored there before its call.
 */
export function decideInvoice(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const marker = firstMarker(situation);
  if (marker === null) return named(situation, beforeBeginning(situation, settings));
  const end = endOf(situation, marker);
  if (end !== null) return named(situation, warned(situation, end));
  const { deadlineInMs } = situation;
  const next =
    deadlineInMs !== null && deadlineInMs <= 0 ? afterDeadline(situation, settings) : nextStep(situation, settings);
  return next.kind === 'conclude' ? named(situation, warned(situation, next)) : next;
}

function beforeBeginning(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { state, finalPrice } = situation;
  const value = valueOf(situation);
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('ORDER_CANCELLED');
  if (!state.paid) return invalid('NOT_PAID');
  if (value === null) return askPdf(situation) ?? invalid('PDF_MISSING');
  const repeat = ifRegistered(situation);
  if (repeat !== null) return repeat;
  if (finalPrice !== null && !isCentsOf(value, finalPrice))
    return invalid('PRICE_MISMATCH', { given: value, expected: finalPrice }, 'value');
  return untilChecked(situation, settings) ?? untilQuiet(situation, settings) ?? { kind: 'send', step: 'register' };
}

/**
 * Asks which invoice the order has, if it may be this one: read, or known of an earlier command where the shop does not
 * say. Then nothing is registered, and its PDF is attached; null if it is registered now, with its price checked.
 */
function ifRegistered(situation: InvoiceSituation): Decision | null {
  const { state, progress, registration, shownInvoices } = situation;
  const isOwn = isOwnBefore(situation);
  if (!isOwn && !wasInvoiced(state) && whichInvoice(shownInvoices, registration) !== 'this') return null;
  const { payload } = progress;
  if (payload?.purpose !== 'registration') return { kind: 'read-payload', purpose: 'registration' };
  const shown = shownBy(payload, registration);
  const isNewest = isOwn || situation.sentInvoices.length === 0;
  const isThis = shown === 'this' ? isNewest : isOwn && shown !== 'other';
  return isThis ? (askPdf(situation) ?? conclude('unchanged', 'already-in-state')) : null;
}

function valueOf({ registration }: InvoiceSituation): string | null {
  return registration?.value ?? null;
}

/**
 * Rule 33: an unusable PDF concludes the command before anything is registered; null once the PDF is usable. Nothing
 * is sent before file-gateway's answer. A good upload stays available for at least the time of one invoice; if the
 * platform could not be called for longer, it may be gone.
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

/** Conclusion that the facts imply, whatever the next step is; null for none. */
function endOf(situation: InvoiceSituation, marker: AttemptMarker): Decision | null {
  const { state, pdf, pdfOutcome } = situation;
  const invoiced = invoicedByCommand(situation);
  if (isUnchanged(situation) && wasInvoiced(situation.state)) return conclude('unchanged', 'already-in-state');
  const isAttached = pdf === null || pdfStateOf(situation) === 'attached';
  const isThis = situation.registration === null || isShown(situation);
  if (isAttached && isThis && invoiced !== null) return applied(evidenceOf(invoiced), ORDER_INVOICED);
  if (onlyAttaches(situation) && isAttached && wasInvoiced(situation.state))
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
    // The order was invoiced before, so its status is not set back.
    const { pdfOutcome } = situation;
    if (pdfStateOf(situation) === 'attached' && wasInvoiced(situation.state))
      return applied(pdfOutcome?.evidence ?? 'none', null);
  }
  return askPdf(situation) ?? afterPdf(situation, settings);
}

/** True if the command only attaches a PDF: by its name, or because the order was invoiced before it. */
function onlyAttaches({ registration, progress: { attempts, pdfAsked } }: InvoiceSituation): boolean {
  return registration === null || (pdfAsked !== null && attempts.every(({ step }) => step !== 'register'));
}

/** True if the order was 350 before the command sent anything. */
function wasInvoicedBefore(situation: InvoiceSituation): boolean {
  const { state } = situation;
  const begun = firstMarker(situation);
  if (state === null || begun === null) return false;
  return state.facts.some((fact) => isInvoiced(fact) && !isStoredAfter(fact, begun.seenFactId));
}

/** True if neither file-gateway nor this app has sent anything. */
function isUnchanged({ progress: { attempts }, pdfOutcome }: InvoiceSituation): boolean {
  return attempts.length === 0 && pdfOutcome?.outcome === 'unchanged';
}

/** Request to file-gateway; null once it was made. */
function askPdf({ state, progress, pdf }: InvoiceSituation): Decision | null {
  if (progress.pdfAsked !== null || pdf === null) return null;
  const orderId = state?.orderId ?? null;
  if (orderId !== null) return { kind: 'ask-pdf', orderId, content: pdf };
  // Usually known from the first notification; else read once (rule 33).
  if (progress.payload?.purpose !== 'order-id') return { kind: 'read-payload', purpose: 'order-id' };
  return conclude(progress.attempts.length === 0 ? 'invalid' : 'refused', 'none', { code: 'ORDER_UNKNOWN' });
}

function afterPdf(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { pdfOutcome, deadlineInMs } = situation;
  if (pdfOutcome === null) return { kind: 'wait', ms: deadlineInMs };
  if (pdfStateOf(situation) === 'attached') return untilInvoiced(situation, settings);
  return refusedPdf(situation) ?? afterSilentPdf(situation, settings);
}

/** Conclusion by file-gateway's refusal of the PDF; null for none. */
function refusedPdf({ pdfOutcome, progress }: InvoiceSituation): Decision | null {
  if (pdfOutcome === null || isDone(pdfOutcome) || pdfOutcome.outcome === 'unconfirmed') return null;
  const { outcome, evidence, reason, platform } = pdfOutcome;
  const why = reason === null ? { code: 'PLATFORM_REFUSED' as const } : { given: reason };
  const isUnsent = outcome === 'invalid' && progress.attempts.length === 0 && pdfOutcome.attempts === 0;
  return conclude(isUnsent ? 'invalid' : 'refused', evidence, why, platform);
}

/**
 * Decides after an upload without a result: once the order is 350, or has had its time to become so, the payload may
 * show the PDF. A 350 that follows another one proves nothing.
 */
function afterSilentPdf(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress } = situation;
  const unconfirmed = conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  if (wasInvoicedBefore(situation)) return unconfirmed;
  const invoiced = invoicedByCommand(situation);
  const reading = invoiced === null ? readUntilInvoiced(situation, settings) : null;
  if (reading !== null) return reading;
  if (progress.payload?.purpose !== 'pdf' && mayRead(situation, settings))
    return { kind: 'read-payload', purpose: 'pdf' };
  const isThis = situation.registration === null || isShown(situation);
  return invoiced === null || !isThis ? unconfirmed : applied(evidenceOf(invoiced), ORDER_INVOICED);
}

/**
 * Reads status and registration a last time; then the command is `unconfirmed` unless the facts prove an outcome. A
 * refusal may be among the notifications that were stored late.
 */
function afterDeadline(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress, registration, pdf } = situation;
  const refused = refusedRegistration(situation, settings) ?? refusedPdf(situation);
  if (refused !== null) return refused;
  if (progress.attempts.some(({ step }) => step === 'status')) return untilInvoiced(situation, settings);
  const isStatusRead = progress.read?.purpose === 'deadline';
  const hasRead = isStatusRead && (registration === null || progress.payload?.purpose === 'deadline');
  const next = deadlineStep(situation, hasRead, settings);
  if (next === 'catch-up') return { kind: 'wait', ms: LAG_WAIT_MS };
  if (next === 'read') {
    return isStatusRead ? { kind: 'read-payload', purpose: 'deadline' } : { kind: 'read', purpose: 'deadline' };
  }
  if (pdf === null && isShown(situation)) return applied('read-back', null);
  return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
}

function isDone(pdf: PdfOutcome | null): boolean {
  return pdf?.outcome === 'applied' || pdf?.outcome === 'unchanged';
}

function applied(evidence: Evidence, setsStatus: number | null): Decision & { kind: 'conclude' } {
  const { conclusion } = conclude('applied', evidence);
  return { kind: 'conclude', conclusion: { ...conclusion, setsStatus } };
}

/**
 * Knowledge about the command's PDF. A payload that shows one proves a silent upload only where the order had none
 * before.
 */
function pdfStateOf(situation: InvoiceSituation): 'attached' | 'missing' | 'unknown' {
  const { pdf, pdfOutcome, progress, attachedAt } = situation;
  const isPdfShown = progress.payload?.attached === true;
  // A file that the order has beside another invoice is that one's.
  if (pdf === null) return isPdfShown && isAlone(situation) ? 'attached' : 'missing';
  if (isDone(pdfOutcome)) return 'attached';
  if (progress.pdfAsked === null || refusedPdf(situation) !== null) return 'missing';
  const begunAt = firstMarker(situation)?.at ?? progress.pdfAsked.at;
  const wasAttached = attachedAt !== null && Date.parse(attachedAt) < Date.parse(begunAt);
  return isPdfShown && !wasAttached && !wasInvoicedBefore(situation) ? 'attached' : 'unknown';
}

/** Adds what the conclusion leaves open: an invoice without its PDF, a PDF without its invoice, an unchecked price. */
function warned(situation: InvoiceSituation, decision: Decision): Decision {
  if (decision.kind !== 'conclude') return decision;
  const { finalPrice, progress, registration } = situation;
  const value = valueOf(situation);
  const { outcome, warnings: found = [] } = decision.conclusion;
  const pdf = pdfStateOf(situation);
  const warnings: Problem[] = [...found];
  if (value !== null && pdf === 'missing' && isRegistered(situation, outcome))
    warnings.push({ code: 'PDF_MISSING', field: 'pdf' });
  if (pdf === 'unknown' && (outcome === 'applied' || (value !== null && isRegistered(situation, outcome))))
    warnings.push({ code: 'PDF_UNCONFIRMED', field: 'pdf' });
  if (shownBy(progress.payload, registration) === 'unnamed' && !isAlone(situation))
    warnings.push({ code: 'INVOICE_UNNAMED', field: 'number' });
  const { priceBefore } = progress.attempts[0] ?? { priceBefore: finalPrice };
  if (value !== null) warnings.push(...aboutPrice(value, priceBefore));
  const conclusion: OrderConclusion = { ...decision.conclusion, warnings };
  return { kind: 'conclude', conclusion };
}

/** Names the invoice that the shop has, as far as is known, in the result's `data`. */
function named(situation: InvoiceSituation, decision: Decision): Decision {
  if (decision.kind !== 'conclude' || decision.conclusion.outcome === 'invalid') return decision;
  const invoice = invoiceOf(situation, decision.conclusion.outcome);
  return { kind: 'conclude', conclusion: { ...decision.conclusion, data: { invoice } } };
}

/** Null if it has none, or it is not known which. */
function invoiceOf(situation: InvoiceSituation, outcome: FinalOutcome): JsonRecord | null {
  const { registration, progress, shownInvoices } = situation;
  const { payload } = progress;
  const shown = payload === null ? shownInvoices : (payload.invoices ?? []);
  const isDone = outcome === 'applied' || outcome === 'unchanged';
  const isThis = isDone || whichInvoice(shown, registration) === 'this' || isShown(situation);
  if (registration !== null && isThis) return { ...registration };
  const last = shown.at(-1);
  if (last === undefined || last.number === null) return null;
  const { number, issuedAt, value } = last;
  return { number, issuedAt: platformMoment(issuedAt)?.text ?? issuedAt, value };
}

/** A registration is in whole cents, and the platform's total may have fractions of one (rule 14). */
function aboutPrice(given: string, expected: string | null): readonly Problem[] {
  if (expected === null) return [{ code: 'PRICE_UNKNOWN', field: 'value' }];
  const isRounded = !isSameMoney(given, expected) && isCentsOf(given, expected);
  return isRounded ? [{ code: 'PRICE_ROUNDED', field: 'value', params: { given, expected } }] : [];
}

/** True if the platform has the invoice, as far as is known: shown, or accepted and not refused beside no other. */
function isRegistered(situation: InvoiceSituation, outcome: OrderConclusion['outcome']): boolean {
  const { attempts } = situation.progress;
  if (outcome === 'applied' || isShown(situation)) return true;
  const isAccepted = attempts.some(({ step, answer }) => step === 'register' && answer.kind === 'accepted');
  return isAccepted && isAlone(situation) && !isRegistrationRefused(situation);
}
