import { ENDS_INVOICING, naturalRank, ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { AttemptMarker, OrderAttempt, PayloadRead } from './command-progress.ts';
import {
  type CommandBasis,
  type CommandSettings,
  type CommandTurn,
  type Decision,
  conclude,
  mayRead,
} from './decision.ts';
import {
  isSameInvoice,
  type RegisteredInvoice,
  type SentInvoice,
  type Shown,
  whichInvoice,
} from '../orders/which-invoice.ts';
import { isStoredAfter, type OrderFact } from '../facts/order-fact.ts';
import { answersTo, isOurs, findRefusal, type Refusal } from './sent-change.ts';
import { doubledMs } from '@gondola/shared/backoff';
import { againInMs, isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { isLost, isNameless, operationIdsOf } from '@gondola/shared/commands/attempts';
import { isInvoiced, statusOf } from '../facts/order-state.ts';
import { decideSent } from './status-commands.ts';

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

/**
 * The 350 that an open saga has reached. No event publishes it while the saga is open: its result does, or, if the
 * saga has another outcome, the event that follows it (rule 10).
 */
export function invoicedByCommand({ state, progress }: Pick<InvoiceSituation, 'state' | 'progress'>): OrderFact | null {
  const markers = markersOf({ progress });
  const reached = (state?.facts ?? []).filter(isInvoiced);
  return reached.find((fact) => isOurs(fact, progress) || markers.some((marker) => answersTo(fact, marker))) ?? null;
}

function markersOf({ progress }: Pick<InvoiceSituation, 'progress'>): AttemptMarker[] {
  return [...progress.attempts, ...(progress.pdfAsked === null ? [] : [progress.pdfAsked])];
}

/** The first stored attempt or request; null before it. */
export function firstMarker({
  progress: { attempts, pdfAsked },
}: Pick<InvoiceSituation, 'progress'>): AttemptMarker | null {
  return attempts[0] ?? pdfAsked;
}

const INTERNAL_ERROR = 500;
const REGISTRATION_REFUSALS = ['Operation_Failed'];
/** Longest pause between two reads of one step. */
const MAX_READ_PAUSE_MS = 60_000;

/**
 * The first step of the saga; null once it is done: accepted, if a PDF follows, else shown by the platform.
 *
 *   earlier invoice, a call of it lost: wait until that can no more be carried out
 *   PUT ── refused ── status: 350 ────▶ done        (rule 16)
 *    │         └── else, if another PUT may have been taken, payload: shows it ─▶ done; else refused
 *    ├── lost ── status: 350; payload: shows it ───▶ done
 *    │                        500, payload: 404 ───▶ refused ORDER_UNKNOWN (rule 17)
 *    │                        else the same PUT, three at most (rule 15)
 *    └── accepted ── a PDF follows ────────────────▶ done
 *              └── payload with backoff: shows it ─▶ done; else the same PUT, three at most
 *
 * Where the order has or may have another invoice, a 350 shows nothing, an accepted PUT is read back before its PDF
 * replaces another's, and a registration without a number ends unconfirmed.
 */
export function untilRegistered(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const last = registrations(situation).at(-1);
  if (last === undefined) return untilQuiet(situation, settings) ?? { kind: 'send', step: 'register' };
  if (isShown(situation)) return null;
  const refused = refusedRegistration(situation, settings);
  if (refused !== null) return refused;
  if (isLost(last)) return afterLostAnswer(situation, last, settings);
  if (situation.pdf !== null && isAlone(situation) && !hadFile(situation)) return null;
  return unnamed(situation) ?? untilShown(situation, last, settings);
}

/** True if the order had a PDF before: one that follows would take its place, even if the registration is refused. */
function hadFile(situation: InvoiceSituation): boolean {
  const { attachedAt } = situation;
  const begun = firstMarker(situation);
  return attachedAt !== null && begun !== null && Date.parse(attachedAt) < Date.parse(begun.at);
}

/**
 * A lost call of an earlier invoice may still be carried out, and would replace this one behind its result. So the
 * first call waits until none can be; null once that is so.
 */
export function untilQuiet(situation: Registering & Pick<InvoiceSituation, 'nowMs'>, settings: CommandSettings) {
  const lost = othersOf(situation).flatMap(({ lostAt }) => (lostAt === null ? [] : Date.parse(lostAt)));
  const ms = Math.max(...lost) + settings.lateCallMs - situation.nowMs;
  return ms > 0 ? ({ kind: 'wait', ms } as const) : null;
}

/** Ends an accepted registration of which the shop, read several times, does not show whether it is this one. */
function unnamed({ progress: { payload, attempts }, registration }: InvoiceSituation): Decision | null {
  const isRead = payload?.purpose === 'registration' && payload.attempts === attempts.length;
  if (!isRead || payload.count < READINGS || shownBy(payload, registration) !== 'unnamed') return null;
  return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
}

/** Which registration a read of the payload shows. */
export function shownBy(payload: PayloadRead | null, registration: InvoiceSituation['registration']): Shown {
  if (payload?.registered !== true) return 'none';
  // Stored by an earlier version.
  if (payload.invoices === undefined) return 'unnamed';
  return whichInvoice(payload.invoices, registration);
}

/** Invoices of earlier commands that are not this one. */
function othersOf({ sentInvoices, registration }: Pick<Registering, 'sentInvoices' | 'registration'>) {
  return sentInvoices.filter(({ invoice }) => !isSameInvoice(invoice, registration));
}

/** True if an earlier command has registered this invoice, and no other one was sent since. */
export function isOwnBefore({ sentInvoices, registration }: Pick<Registering, 'sentInvoices' | 'registration'>) {
  const last = sentInvoices.at(-1);
  return last?.isRegistered === true && isSameInvoice(last.invoice, registration);
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
  const wasInvoiced = state?.facts.some(
    (fact) => isInvoiced(fact) && (begun === null || !isStoredAfter(fact, begun.seenFactId)),
  );
  const shownBefore = whichInvoice(before, registration);
  const isShownBefore = shownBefore === 'other' || shownBefore === 'unnamed';
  return !isShownBefore && !wasBefore(registeredAt) && wasInvoiced !== true;
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

/** Reads and conclusion after the platform's refusal of the registration; null for none, or if it is registered. */
export function refusedRegistration(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const refusal = refusalOf(situation);
  if (refusal === null || isShown(situation)) return null;
  const { read, payload } = situation.progress;
  const mayAsk = mayRead(situation, settings);
  if (read?.purpose !== 'refusal' && mayAsk) return { kind: 'read', purpose: 'refusal' };
  const attempts = registrations(situation);
  const others = attempts.filter(({ answer }) => answer.kind !== 'refused');
  const mayBeTaken = attempts.some(isNameless) || others.length > (refusal.evidence === 'event' ? 1 : 0);
  if (mayBeTaken && payload?.purpose !== 'refusal' && mayAsk) return { kind: 'read-payload', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
}

/** True if the platform refused the registration, and no read has shown it. */
export function isRegistrationRefused(situation: Registering): boolean {
  return refusalOf(situation) !== null && !isShown(situation);
}

function refusalOf(situation: Registering): Refusal | null {
  const { progress } = situation;
  return findRefusal(situation, { ...progress, attempts: registrations(situation) }, REGISTRATION_REFUSALS);
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

/**
 * Reads the payload with back-off; after some reads, and within the limit of three, sends
 * the same registration again.
 */
function untilShown(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const count = registrations(situation).length;
  const { payload } = progress;
  const isFirst = payload?.purpose !== 'registration' || payload.attempts !== progress.attempts.length;
  if (!isFirst && payload.count >= READINGS && count < settings.maxAttempts) return { kind: 'send', step: 'register' };
  const since = isFirst ? last.at : payload.at;
  const pauseMs = doubledMs(settings.readBackMs, isFirst ? 1 : payload.count + 1, MAX_READ_PAUSE_MS);
  const inMs = Date.parse(since) + pauseMs - nowMs;
  if (inMs > 0) return { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) };
  return { kind: 'read-payload', purpose: 'registration' };
}

/** Fruitless reads before a step sends or concludes. */
const READINGS = 4;

function registrations({ progress }: Pick<Registering, 'progress'>): OrderAttempt[] {
  return progress.attempts.filter(({ step }) => step === 'register');
}

/**
 * Rules 15, 16: status, payload, then the same PUT, three at most and spread over the deadline. Only a 500, by which
 * the platform also answers for an order that it does not know, and a payload that is not found refuse it (rule 17):
 * any other failure is an outage.
 */
function afterLostAnswer(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const count = progress.attempts.length;
  const { read, payload } = progress;
  const wait = (ms: number): Decision => ({ kind: 'wait', ms: Math.min(ms, deadlineInMs ?? ms) });
  const inMs = lookInMs(last, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  if (inMs > 0) return wait(inMs);
  if (read?.purpose !== 'lost-answer' || read.attempts !== count) return { kind: 'read', purpose: 'lost-answer' };
  const isRead = payload?.purpose === 'lost-answer' || payload?.purpose === 'registration';
  if (!isRead || payload.attempts !== count) return { kind: 'read-payload', purpose: 'lost-answer' };
  if (payload.kind === 'not-found' && isInternalError(last))
    return conclude('refused', 'read-back', { code: 'ORDER_UNKNOWN' });
  const { invoiceMs: deadlineMs, lostAnswerMs } = settings;
  const againMs = againInMs(registrations(situation), settings.maxAttempts, { nowMs, deadlineMs, lostAnswerMs });
  if (againMs === Infinity) return untilShown(situation, last, settings);
  if (againMs > 0) return wait(againMs);
  return isFresh(payload, nowMs, settings.readFreshMs)
    ? { kind: 'send', step: 'register' }
    : { kind: 'read-payload', purpose: 'lost-answer' };
}

function isInternalError({ answer }: OrderAttempt): boolean {
  return answer.kind === 'unknown' && answer.status === INTERNAL_ERROR;
}

/**
 * The last step of the saga: registration and PDF are done, so the order becomes 350 by itself; the status is read
 * with back-off. If it does not, a PATCH sets it, but only while the registration shows: without one, the order would
 * count as invoiced without an invoice.
 */
export function untilInvoiced(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress, registration } = situation;
  const patches = progress.attempts.filter(({ step }) => step === 'status');
  const others = progress.attempts.length - patches.length;
  const lastPatch = patches.at(-1);
  if (lastPatch !== undefined) {
    // Only reads since the PATCH count.
    const { read } = progress;
    const sinceRead = read === null || read.attempts <= others ? null : { ...read, attempts: read.attempts - others };
    const own = { ...progress, attempts: patches, read: sinceRead };
    const sent = { ...situation, progress: own, target: ORDER_INVOICED };
    return decideSent(sent, lastPatch, { ...settings, deadlineMs: timeOfPatches(situation, patches, settings) });
  }
  const reading = pastInvoicing(situation) === null ? readUntilInvoiced(situation, settings) : null;
  if (reading !== null) return reading;
  if (registration === null) return unlessRegistered(situation, settings) ?? setInvoiced(situation);
  const lastAttempt = progress.attempts.at(-1);
  if (lastAttempt !== undefined && !isShown(situation))
    return unnamed(situation) ?? untilShown(situation, lastAttempt, settings);
  return setInvoiced(situation);
}

/** Milliseconds from the first PATCH to the deadline, over which further ones are spread (rule 17). */
function timeOfPatches(
  { nowMs, deadlineInMs }: InvoiceSituation,
  [first]: readonly OrderAttempt[],
  { invoiceMs }: CommandSettings,
): number {
  return deadlineInMs === null || first === undefined ? invoiceMs : nowMs + deadlineInMs - Date.parse(first.at);
}

/** The PATCH of 350; an order that went on behind it is not set back, and the command ends with a warning. */
function setInvoiced(situation: InvoiceSituation): Decision {
  const status = pastInvoicing(situation);
  if (status === null) return { kind: 'send', step: 'status' };
  const { conclusion } = conclude('applied', situation.pdfOutcome?.evidence ?? 'read-back');
  const warnings = [{ code: 'STATUS_NOT_SETTABLE', field: 'status', params: { status } } as const];
  return { kind: 'conclude', conclusion: { ...conclusion, warnings } };
}

/** The order's status if it is one that follows 350: ready, shipped, delivered, or delivery failed; else null. */
function pastInvoicing({ state }: InvoiceSituation): number | null {
  const status = state === null ? null : statusOf(state);
  if (status === null || ENDS_INVOICING.has(status)) return null;
  return naturalRank(status) > naturalRank(ORDER_INVOICED) ? status : null;
}

/** Reads of the status with back-off, in which the order may become 350 by itself; null after the last one. */
export function readUntilInvoiced(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const { progress } = situation;
  const { read } = progress;
  const isFirst = read?.purpose !== 'invoiced' || read.attempts !== progress.attempts.length;
  if (isFirst) return { kind: 'read', purpose: 'invoiced' };
  if (read.count >= READINGS) return null;
  return waitFor(read, situation, settings) ?? { kind: 'read', purpose: 'invoiced' };
}

/**
 * For a command that only attaches a PDF: reads the payload until it shows the registration, which is null. An order
 * without one keeps its status, and the command ends with its upload.
 */
function unlessRegistered(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const { progress, pdfOutcome, sentInvoices, shownInvoices } = situation;
  // A read of a store that is behind takes nothing back.
  if (shownInvoices.length > 0 || sentInvoices.some(({ isRegistered }) => isRegistered)) return null;
  const { payload } = progress;
  if (payload?.purpose !== 'registration') return { kind: 'read-payload', purpose: 'registration' };
  if (payload.registered) return null;
  if (payload.count < READINGS)
    return waitFor(payload, situation, settings) ?? { kind: 'read-payload', purpose: 'registration' };
  const { conclusion } = conclude('applied', pdfOutcome?.evidence ?? 'none');
  return {
    kind: 'conclude',
    conclusion: { ...conclusion, warnings: [{ code: 'REGISTRATION_MISSING', field: 'pdf' }] },
  };
}

/** Pause after a read, doubled with each further one; null once it is over. */
function waitFor(
  { at, count }: { readonly at: string; readonly count: number },
  { nowMs, deadlineInMs }: InvoiceSituation,
  { readBackMs }: CommandSettings,
): Decision | null {
  const inMs = Date.parse(at) + doubledMs(readBackMs, count) - nowMs;
  return inMs > 0 ? { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) } : null;
}
