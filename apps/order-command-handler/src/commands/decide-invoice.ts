import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { platformMoment } from '@gondola/shared/time';
import { isCentsOf, isSameMoney } from '@gondola/shared/units-and-money/money';
import { CLOSED_TO_COMMANDS, ENDS_INVOICING, ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
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
  overtaken,
} from './decision.ts';
import { afterPatch, applied, attach, check, compare, type InvoiceStep, register, setStatus } from './invoice-steps.ts';
import { statusOf, wasInvoiced } from '../facts/order-state.ts';
import {
  firstMarker,
  type InvoiceSituation,
  invoicedByCommand,
  isAlone,
  isRegistered,
  isShown,
  pdfStateOf,
  registersNothing,
  shownBy,
} from './known-invoice.ts';
import { evidenceOf } from './sent-change.ts';
import { whichInvoice } from '../orders/which-invoice.ts';

/**
 * `RegisterInvoice` and `AttachInvoicePdf`: one resumable saga (rules 14–17, 33).
 *
 *   queued ── not allowed ─────────────────────────────────────────────▶ invalid
 *     ▼
 *   compare, if the order may have the invoice already: which one? ── another price ─▶ invalid
 *     │      └── this one: nothing is registered; its PDF, if it has one, goes on at `attach`
 *     ▼
 *   check the PDF, if it has one: can it be attached? ── no ───────────▶ invalid     NOT_PDF, UPLOAD_UNKNOWN
 *     ▼
 *   register: PUT invoiced (answer lost: status, payload, the same PUT) ─▶ refused     PLATFORM_REFUSED …
 *     ▼                └── without a PDF: the registration is read back ─▶ applied     with PDF_MISSING
 *   attach: file-gateway is asked once ── it refuses ──────────────────▶ refused     its reason, with PDF_MISSING
 *     │                  │            └── attached already, nothing sent ▶ unchanged   if the order was invoiced
 *     │                  └── silent, and no payload shows the PDF ─────▶ unconfirmed; applied at 350; PDF_UNCONFIRMED
 *     ▼
 *   set-status: 350 by itself, read with backoff ──────────────────────▶ applied
 *     ▼ else, if the registration shows (if not: register; a PDF alone ends applied with REGISTRATION_MISSING)
 *   PATCH ORDER_INVOICED ──────────────────────────────────────────────▶ applied, refused
 *
 *   at any time: 750 800 1000 1100 1200 ─▶ refused ORDER_CANCELLED; the deadline ─▶ unconfirmed
 *
 * All state is in `progress` and in the facts. Each step is stored there before its call.
 */
const SAGA: readonly InvoiceStep[] = [compare, check, register, attach, setStatus];

/** Next decision about `RegisterInvoice` or `AttachInvoicePdf`: that of the first step of the saga that is not done. */
export function decideInvoice(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const marker = firstMarker(situation);
  if (marker === null) return named(situation, notAllowed(situation) ?? nextStep(situation, settings));
  const { deadlineInMs } = situation;
  const isOver = deadlineInMs !== null && deadlineInMs <= 0;
  const next =
    endOf(situation, marker) ?? (isOver ? afterDeadline(situation, settings) : nextStep(situation, settings));
  return named(situation, warned(situation, next));
}

/** Conclusion of a command that the order does not allow; null if it does. */
function notAllowed({ state, registration, pdf }: InvoiceSituation): Decision | null {
  if (state === null) return invalid('ORDER_UNKNOWN');
  const status = statusOf(state);
  if (status !== null && CLOSED_TO_COMMANDS.has(status)) return invalid('ORDER_CANCELLED');
  if (!state.paid) return invalid('NOT_PAID');
  return registration === null && pdf === null ? invalid('PDF_MISSING') : null;
}

function nextStep(situation: InvoiceSituation, settings: CommandSettings): Decision {
  for (const { call, onRefusal, onSilence } of openSteps(situation)) {
    const next = call(situation, settings) ?? onRefusal(situation, settings) ?? onSilence(situation, settings);
    if (next !== null) return next;
  }
  if (firstMarker(situation) === null) return conclude('unchanged', 'already-in-state');
  return applied(situation.pdf === null ? 'read-back' : (situation.pdfOutcome?.evidence ?? 'none'), null);
}

function openSteps(situation: InvoiceSituation): readonly InvoiceStep[] {
  return SAGA.filter(({ isDone }) => !isDone(situation));
}

/** Conclusion that the facts imply, whatever the next step is; null for none. */
function endOf(situation: InvoiceSituation, marker: AttemptMarker): Decision | null {
  const { state, pdf, pdfOutcome, progress } = situation;
  const invoiced = invoicedByCommand(situation);
  const isUnsent = progress.attempts.length === 0 && pdfOutcome?.outcome === 'unchanged';
  if (isUnsent && wasInvoiced(state)) return conclude('unchanged', 'already-in-state');
  const isAttached = pdf === null || pdfStateOf(situation) === 'attached';
  const isThis = situation.registration === null || isShown(situation);
  if (isAttached && isThis && invoiced !== null) return applied(evidenceOf(invoiced), ORDER_INVOICED);
  if (registersNothing(situation) && isAttached && wasInvoiced(state))
    return applied(pdfOutcome?.evidence ?? 'none', null);
  const fact = state?.statusFact ?? null;
  if (fact?.status == null || !ENDS_INVOICING.has(fact.status) || fact.status === marker.before.status) return null;
  return overtaken(evidenceOf(fact));
}

/**
 * Reads status and registration a last time; then the command is `unconfirmed` unless the facts prove an outcome. A
 * refusal may be among the notifications that were stored late.
 */
function afterDeadline(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress, registration, pdf } = situation;
  for (const { onRefusal } of openSteps(situation)) {
    const refused = onRefusal(situation, settings);
    if (refused !== null) return refused;
  }
  const patched = afterPatch(situation, settings);
  if (patched !== null) return patched;
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

/** Adds what the conclusion leaves open: an invoice without its PDF, a PDF without its invoice, an unchecked price. */
function warned(situation: InvoiceSituation, decision: Decision): Decision {
  if (decision.kind !== 'conclude') return decision;
  const { finalPrice, progress, registration } = situation;
  const { outcome, warnings: found = [] } = decision.conclusion;
  const pdf = pdfStateOf(situation);
  const isInShop = registration !== null && isRegistered(situation, outcome);
  const warnings: Problem[] = [...found];
  if (isInShop && pdf === 'missing') warnings.push({ code: 'PDF_MISSING', field: 'pdf' });
  if (pdf === 'unknown' && (outcome === 'applied' || isInShop))
    warnings.push({ code: 'PDF_UNCONFIRMED', field: 'pdf' });
  if (shownBy(progress.payload, registration) === 'unnamed' && !isAlone(situation))
    warnings.push({ code: 'INVOICE_UNNAMED', field: 'number' });
  const { priceBefore } = progress.attempts[0] ?? { priceBefore: finalPrice };
  if (registration !== null) warnings.push(...aboutPrice(registration.value, priceBefore));
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
