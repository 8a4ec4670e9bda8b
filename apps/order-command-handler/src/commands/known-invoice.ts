import { isLost, operationIdsOf } from '@gondola/shared/commands/attempts';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { AttemptMarker, OrderAttempt, PayloadRead } from './command-progress.ts';
import type { CommandBasis, CommandTurn } from './decision.ts';
import { isStoredAfter, type OrderFact } from '../facts/order-fact.ts';
import { isInvoiced, wasInvoiced } from '../facts/order-state.ts';
import type { PdfOutcome } from '../pdf-results/pdf-outcome.ts';
import {
  isSameInvoice,
  type RegisteredInvoice,
  type SentInvoice,
  type Shown,
  whichInvoice,
} from '../orders/which-invoice.ts';
import { answersTo, findRefusal, isOurs, type Refusal } from './sent-change.ts';

/** Knowledge about the invoice of a command: what its facts, attempts and reads prove. */

export interface InvoiceSituation
  extends
    CommandBasis,
    Pick<
      CommandTurn,
      | 'finalPrice'
      | 'pdfCheck'
      | 'pdfOutcome'
      | 'attachedAt'
      | 'registeredAt'
      | 'shownInvoices'
      | 'sentInvoices'
      | 'registration'
    > {
  readonly pdf: ContentReference | null;
}

/** Input about the registration alone. */
type Registering = Pick<
  InvoiceSituation,
  'state' | 'progress' | 'otherOperationIds' | 'registeredAt' | 'shownInvoices' | 'sentInvoices' | 'registration'
>;

const REGISTRATION_REFUSALS = ['Operation_Failed'];

/** The first stored attempt or request; null before it. */
export function firstMarker({
  progress: { attempts, pdfAsked },
}: Pick<InvoiceSituation, 'progress'>): AttemptMarker | null {
  return attempts[0] ?? pdfAsked;
}

export function registrations({ progress }: Pick<InvoiceSituation, 'progress'>): OrderAttempt[] {
  return progress.attempts.filter(({ step }) => step === 'register');
}

export function patches({ progress }: Pick<InvoiceSituation, 'progress'>): OrderAttempt[] {
  return progress.attempts.filter(({ step }) => step === 'status');
}

/**
 * The 350 that an open saga has reached. No event publishes it while the saga is open: its result does, or, if the
 * saga has another outcome, the event that follows it (rule 10).
 */
export function invoicedByCommand({ state, progress }: Pick<InvoiceSituation, 'state' | 'progress'>): OrderFact | null {
  const markers = [...progress.attempts, ...(progress.pdfAsked === null ? [] : [progress.pdfAsked])];
  const reached = (state?.facts ?? []).filter(isInvoiced);
  return reached.find((fact) => isOurs(fact, progress) || markers.some((marker) => answersTo(fact, marker))) ?? null;
}

/** True if the order was 350 before the command sent anything. */
export function wasInvoicedBefore({ state, progress }: Pick<InvoiceSituation, 'state' | 'progress'>): boolean {
  const begun = firstMarker({ progress });
  if (state === null || begun === null) return false;
  return state.facts.some((fact) => isInvoiced(fact) && !isStoredAfter(fact, begun.seenFactId));
}

/** Which registration a read of the payload shows. */
export function shownBy(payload: PayloadRead | null, registration: InvoiceSituation['registration']): Shown {
  if (payload?.registered !== true) return 'none';
  // Stored by an earlier version.
  if (payload.invoices === undefined) return 'unnamed';
  return whichInvoice(payload.invoices, registration);
}

/** Invoices of earlier commands that are not this one. */
export function othersOf({ sentInvoices, registration }: Pick<Registering, 'sentInvoices' | 'registration'>) {
  return sentInvoices.filter(({ invoice }) => !isSameInvoice(invoice, registration));
}

/** True if an earlier command has registered this invoice, and no other one was sent since. */
function isOwnBefore({ sentInvoices, registration }: Pick<Registering, 'sentInvoices' | 'registration'>) {
  const last = sentInvoices.at(-1);
  return last?.isRegistered === true && isSameInvoice(last.invoice, registration);
}

/** True if the order may have this invoice from before the command, which only a read of the payload can tell. */
export function mayBeThere(situation: Registering): boolean {
  const { state, registration, shownInvoices } = situation;
  return isOwnBefore(situation) || wasInvoiced(state) || whichInvoice(shownInvoices, registration) === 'this';
}

/** True if the order has this invoice already: read, or known of an earlier command where the shop does not say. */
function isThere(situation: Registering): boolean {
  const { payload } = situation.progress;
  if (!mayBeThere(situation) || payload?.purpose !== 'registration') return false;
  const isOwn = isOwnBefore(situation);
  const shown = shownBy(payload, situation.registration);
  return shown === 'this' ? isOwn || situation.sentInvoices.length === 0 : isOwn && shown !== 'other';
}

/** True if nothing is registered: the command only attaches a PDF, or the order has its invoice from before it. */
export function registersNothing(situation: Registering): boolean {
  const { attempts, pdfAsked } = situation.progress;
  if (situation.registration === null) return true;
  if (pdfAsked === null) return attempts.length === 0 && isThere(situation);
  return registrations(situation).length === 0;
}

/**
 * True if the order can have no other invoice, so that any sign of a registration is this one's: none was sent by an
 * earlier command, none was shown, and the order was not invoiced before.
 */
export function isAlone(situation: Registering): boolean {
  const { state, progress, registeredAt, shownInvoices, registration } = situation;
  if (othersOf(situation).length > 0) return false;
  const { before = [], seen = [] } = progress.payload ?? {};
  if ([shownInvoices, seen].some((invoices) => whichInvoice(invoices, registration) === 'other')) return false;
  if (isOwnBefore(situation)) return true;
  const begun = firstMarker(situation);
  const wasBefore = (at: string | null) => at !== null && (begun === null || Date.parse(at) < Date.parse(begun.at));
  const wasInvoicedAtStart = begun === null ? wasInvoiced(state) : wasInvoicedBefore(situation);
  const shownBefore = whichInvoice(before, registration);
  const isShownBefore = shownBefore === 'other' || shownBefore === 'unnamed';
  return !isShownBefore && !wasBefore(registeredAt) && !wasInvoicedAtStart;
}

/** The invoice that a concluded command may have registered, for the commands after it; null for none. */
export function sentInvoiceOf(
  situation: Registering & { readonly registration: RegisteredInvoice | null },
  outcome: FinalOutcome,
): SentInvoice | null {
  const { registration: invoice } = situation;
  const all = registrations(situation);
  const open = all.filter(({ answer }) => answer.kind !== 'refused');
  const isRegistered = outcome === 'applied' || outcome === 'unchanged';
  if (isRegistered && open.length === 0) return invoice === null ? null : { invoice, isRegistered, lostAt: null };
  const last = open.at(-1);
  // Beside a call that was refused, one that was accepted may have been carried out.
  if (last === undefined || (outcome === 'refused' && all.length === 1 && !isLost(last))) return null;
  return { invoice, isRegistered, lostAt: isRegistered && open.length === 1 && !isLost(last) ? null : last.at };
}

/** The platform's refusal of the registration; null for none, or if a read has shown it. */
export function refusalOf(situation: Registering): Refusal | null {
  const { progress } = situation;
  const refusal = findRefusal(situation, { ...progress, attempts: registrations(situation) }, REGISTRATION_REFUSALS);
  return refusal === null || isShown(situation) ? null : refusal;
}

/**
 * True if the platform has shown this registration since it was first sent: by its number, by a 350 of its own
 * operation, or, where the order can have no other invoice, by any registration or 350.
 */
export function isShown(situation: Registering): boolean {
  const { progress, state, registration } = situation;
  const { payload, read } = progress;
  const shown = payload !== null && payload.attempts > 0 ? shownBy(payload, registration) : 'none';
  if (shown === 'this' || shown === 'other') return shown === 'this';
  const operationIds = operationIdsOf({ attempts: registrations(situation) });
  const isOwn = ({ operationId }: OrderFact) => operationId !== null && operationIds.includes(operationId);
  if (state?.facts.some((fact) => isInvoiced(fact) && isOwn(fact)) === true) return true;
  if (!isAlone(situation)) return false;
  if (shown === 'unnamed' || invoicedByCommand(situation) !== null) return true;
  return read?.status === ORDER_INVOICED && read.attempts > 0;
}

/** True if the platform has the invoice, as far as is known: shown, or accepted and not refused beside no other. */
export function isRegistered(situation: InvoiceSituation, outcome: FinalOutcome): boolean {
  if (outcome === 'applied' || isShown(situation)) return true;
  const isAccepted = registrations(situation).some(({ answer }) => answer.kind === 'accepted');
  return isAccepted && isAlone(situation) && refusalOf(situation) === null;
}

/** True if the order had a PDF before: one that follows would take its place, even if the registration is refused. */
export function hadFile(situation: InvoiceSituation): boolean {
  const { attachedAt } = situation;
  const begun = firstMarker(situation);
  return attachedAt !== null && begun !== null && Date.parse(attachedAt) < Date.parse(begun.at);
}

/**
 * Knowledge about the command's PDF. A payload that shows one proves a silent upload only where the order had none
 * before.
 */
export function pdfStateOf(situation: InvoiceSituation): 'attached' | 'missing' | 'unknown' {
  const { pdf, pdfOutcome, progress } = situation;
  const isPdfShown = progress.payload?.attached === true;
  // A file that the order has beside another invoice is that one's.
  if (pdf === null) return isPdfShown && isAlone(situation) ? 'attached' : 'missing';
  if (isAttached(pdfOutcome)) return 'attached';
  if (progress.pdfAsked === null || isPdfRefused(pdfOutcome)) return 'missing';
  return isPdfShown && !hadFile(situation) && !wasInvoicedBefore(situation) ? 'attached' : 'unknown';
}

function isAttached(pdf: PdfOutcome | null): boolean {
  return pdf?.outcome === 'applied' || pdf?.outcome === 'unchanged';
}

/** True if file-gateway has refused the PDF; an upload without an outcome is not refused. */
export function isPdfRefused(pdf: PdfOutcome | null): pdf is PdfOutcome {
  return pdf !== null && !isAttached(pdf) && pdf.outcome !== 'unconfirmed';
}
