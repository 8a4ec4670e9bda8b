import { doubledMs } from '@gondola/shared/backoff';
import { isLost, isNameless } from '@gondola/shared/commands/attempts';
import { againInMs, isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { BEYOND_INVOICE, ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { Evidence } from '@gondola/shared/outcomes/outcomes';
import { isCentsOf } from '@gondola/shared/units-and-money/money';
import type { OrderAttempt } from './command-progress.ts';
import { type CommandSettings, conclude, type Decision, invalid, mayRead, type Problem } from './decision.ts';
import { statusOf, wasInvoiced } from '../facts/order-state.ts';
import {
  firstMarker,
  hadFile,
  type InvoiceSituation,
  invoicedByCommand,
  isAlone,
  isPdfRefused,
  isShown,
  mayBeThere,
  othersOf,
  patches,
  pdfStateOf,
  refusalOf,
  registersNothing,
  registrations,
  shownBy,
  wasInvoicedBefore,
} from './known-invoice.ts';
import { evidenceOf } from './sent-change.ts';
import { decideSent } from './status-commands.ts';

type PartOfStep = (situation: InvoiceSituation, settings: CommandSettings) => Decision | null;

/**
 * One step of the saga. While it is not done, its parts are asked in the order in which they stand here, and the first
 * one that decides anything does; if none does, the next step follows.
 */
export interface InvoiceStep {
  /** True once nothing is left to do for it, also for a command that has no such step. */
  readonly isDone: (situation: InvoiceSituation) => boolean;
  /** Its call, or what has to come before it; null once it was made. */
  readonly call: PartOfStep;
  /** Conclusion by a refusal of the call, and the reads before it; null for none. It counts at the deadline, too. */
  readonly onRefusal: PartOfStep;
  /** Waits, reads, or calls again, while the call has neither succeeded nor been refused. */
  readonly onSilence: PartOfStep;
}

const hasBegun = (situation: InvoiceSituation): boolean => firstMarker(situation) !== null;

/** Asks which invoice the order has, if it may be this one; if it is, it is not registered again. */
export const compare: InvoiceStep = {
  isDone: (situation) => hasBegun(situation) || registersNothing(situation),
  call: (situation) =>
    mayBeThere(situation) && situation.progress.payload?.purpose !== 'registration'
      ? { kind: 'read-payload', purpose: 'registration' }
      : null,
  onRefusal: ({ registration, finalPrice }) => {
    if (registration === null || finalPrice === null || isCentsOf(registration.value, finalPrice)) return null;
    return invalid('PRICE_MISMATCH', { given: registration.value, expected: finalPrice }, 'value');
  },
  onSilence: () => null,
};

/**
 * Rule 33: an unusable PDF concludes the command before anything is registered. Nothing is sent before file-gateway's
 * answer. A good upload stays available for at least the time of one invoice; if the platform could not be called for
 * longer, it may be gone.
 */
export const check: InvoiceStep = {
  isDone: (situation) => hasBegun(situation) || registersNothing(situation),
  call: ({ pdf, progress: { pdfCheckAsked } }) =>
    pdf !== null && pdfCheckAsked === null ? { kind: 'check-pdf', content: pdf } : null,
  onRefusal: ({ pdf, pdfCheck, nowMs }, { invoiceMs }) => {
    if (pdf === null) return null;
    if (pdfCheck?.kind === 'bad') return conclude('invalid', 'none', { given: pdfCheck.reason });
    if (pdfCheck?.kind === 'good' && nowMs > pdfCheck.untilMs - invoiceMs) return invalid('UPLOAD_UNKNOWN', {}, 'pdf');
    return null;
  },
  onSilence: ({ pdf, pdfCheck }) => (pdf !== null && pdfCheck === null ? { kind: 'wait', ms: null } : null),
};

/**
 * Done once it is accepted, if a PDF follows, else once the platform shows it.
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
export const register: InvoiceStep = {
  isDone: (situation) => registersNothing(situation) || isShown(situation) || isLeftToPdf(situation),
  call: (situation, settings) =>
    registrations(situation).length > 0
      ? null
      : (untilQuiet(situation, settings) ?? { kind: 'send', step: 'register' }),
  onRefusal: refusedRegistration,
  onSilence: (situation, settings) => {
    const last = registrations(situation).at(-1);
    if (last === undefined) return null;
    return isLost(last) ? afterLostAnswer(situation, last, settings) : untilShown(situation, last, settings);
  },
};

/** True if the registration is accepted, and its PDF follows without replacing another's. */
function isLeftToPdf(situation: InvoiceSituation): boolean {
  const last = registrations(situation).at(-1);
  if (last === undefined || isLost(last) || situation.pdf === null) return false;
  return isAlone(situation) && !hadFile(situation) && refusalOf(situation) === null;
}

/**
 * A lost call of an earlier invoice may still be carried out, and would replace this one behind its result. So the
 * first call waits until none can be; null once that is so.
 */
function untilQuiet(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const lost = othersOf(situation).flatMap(({ lostAt }) => (lostAt === null ? [] : Date.parse(lostAt)));
  const ms = Math.max(...lost) + settings.lateCallMs - situation.nowMs;
  return ms > 0 ? { kind: 'wait', ms } : null;
}

function refusedRegistration(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const refusal = refusalOf(situation);
  if (refusal === null) return null;
  const { read, payload } = situation.progress;
  const mayAsk = mayRead(situation, settings);
  if (read?.purpose !== 'refusal' && mayAsk) return { kind: 'read', purpose: 'refusal' };
  const attempts = registrations(situation);
  const others = attempts.filter(({ answer }) => answer.kind !== 'refused');
  const mayBeTaken = attempts.some(isNameless) || others.length > (refusal.evidence === 'event' ? 1 : 0);
  if (mayBeTaken && payload?.purpose !== 'refusal' && mayAsk) return { kind: 'read-payload', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
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
  if (againMs === Infinity) return untilRead(situation, last, settings);
  if (againMs > 0) return wait(againMs);
  return isFresh(payload, nowMs, settings.readFreshMs)
    ? { kind: 'send', step: 'register' }
    : { kind: 'read-payload', purpose: 'lost-answer' };
}

const INTERNAL_ERROR = 500;

function isInternalError({ answer }: OrderAttempt): boolean {
  return answer.kind === 'unknown' && answer.status === INTERNAL_ERROR;
}

/** Fruitless reads before a step sends or concludes. */
const READINGS = 4;
/** Longest pause between two reads of one step. */
const MAX_READ_PAUSE_MS = 60_000;

/** Reads until the shop shows the registration. One that it shows several times, but not as which, is `unconfirmed`. */
function untilShown(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, registration } = situation;
  const { payload } = progress;
  const isRead = payload?.purpose === 'registration' && payload.attempts === progress.attempts.length;
  if (isRead && payload.count >= READINGS && shownBy(payload, registration) === 'unnamed')
    return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  return untilRead(situation, last, settings);
}

/**
 * Reads the payload with back-off; after some reads, and within the limit of three, sends the same registration again.
 */
function untilRead(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
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

/** Asks file-gateway once for the PDF, by the order's id. */
export const attach: InvoiceStep = {
  isDone: (situation) => {
    const { pdf, pdfOutcome, state } = situation;
    return pdf === null || (pdfStateOf(situation) === 'attached' && (pdfOutcome !== null || wasInvoiced(state)));
  },
  call: ({ state, progress, pdf }) => {
    if (progress.pdfAsked !== null || pdf === null) return null;
    const orderId = state?.orderId ?? null;
    if (orderId !== null) return { kind: 'ask-pdf', orderId, content: pdf };
    // Usually known from the first notification; else read once (rule 33).
    if (progress.payload?.purpose !== 'order-id') return { kind: 'read-payload', purpose: 'order-id' };
    return conclude(progress.attempts.length === 0 ? 'invalid' : 'refused', 'none', { code: 'ORDER_UNKNOWN' });
  },
  onRefusal: ({ pdfOutcome, progress }) => {
    if (!isPdfRefused(pdfOutcome)) return null;
    const { outcome, evidence, reason, platform } = pdfOutcome;
    const why = reason === null ? { code: 'PLATFORM_REFUSED' as const } : { given: reason };
    const isUnsent = outcome === 'invalid' && progress.attempts.length === 0 && pdfOutcome.attempts === 0;
    return conclude(isUnsent ? 'invalid' : 'refused', evidence, why, platform);
  },
  onSilence: (situation, settings) =>
    situation.pdfOutcome === null ? { kind: 'wait', ms: situation.deadlineInMs } : afterSilentPdf(situation, settings),
};

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
 * Registration and PDF are done, so the order becomes 350 by itself; the status is read with back-off. If it does not,
 * a PATCH sets it, but only while the registration shows: without one, the order would count as invoiced without an
 * invoice. An order that was invoiced before keeps its status.
 */
export const setStatus: InvoiceStep = {
  isDone: ({ pdf, state }) => pdf === null || wasInvoiced(state),
  call: (situation, settings) => {
    if (patches(situation).length > 0) return null;
    const reading = pastInvoicing(situation) === null ? readUntilInvoiced(situation, settings) : null;
    return reading ?? untilRegistered(situation, settings) ?? setInvoiced(situation);
  },
  // Like that of every PATCH, it is judged with all else that follows the call.
  onRefusal: () => null,
  onSilence: afterPatch,
};

/** Decides about a PATCH that was sent; null before it. */
export function afterPatch(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const { progress } = situation;
  const attempts = patches(situation);
  const last = attempts.at(-1);
  if (last === undefined) return null;
  const others = progress.attempts.length - attempts.length;
  // Only reads since the PATCH count.
  const { read } = progress;
  const sinceRead = read === null || read.attempts <= others ? null : { ...read, attempts: read.attempts - others };
  const sent = { ...situation, progress: { ...progress, attempts, read: sinceRead }, target: ORDER_INVOICED };
  return decideSent(sent, last, { ...settings, deadlineMs: timeOfPatches(situation, attempts, settings) });
}

/** Milliseconds from the first PATCH to the deadline, over which further ones are spread (rule 17). */
function timeOfPatches(
  { nowMs, deadlineInMs }: InvoiceSituation,
  [first]: readonly OrderAttempt[],
  { invoiceMs }: CommandSettings,
): number {
  return deadlineInMs === null || first === undefined ? invoiceMs : nowMs + deadlineInMs - Date.parse(first.at);
}

/** Reads of the status with back-off, in which the order may become 350 by itself; null after the last one. */
function readUntilInvoiced(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const { progress } = situation;
  const { read } = progress;
  const isFirst = read?.purpose !== 'invoiced' || read.attempts !== progress.attempts.length;
  if (isFirst) return { kind: 'read', purpose: 'invoiced' };
  if (read.count >= READINGS) return null;
  return waitFor(read, situation, settings) ?? { kind: 'read', purpose: 'invoiced' };
}

/** Reads the payload until it shows a registration, which is null. */
function untilRegistered(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  if (situation.registration === null) return unlessRegistered(situation, settings);
  const last = situation.progress.attempts.at(-1);
  return last === undefined || isShown(situation) ? null : untilShown(situation, last, settings);
}

/** For a command that only attaches a PDF: an order without a registration keeps its status. */
function unlessRegistered(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const { progress, pdfOutcome, sentInvoices, shownInvoices } = situation;
  // A read of a store that is behind takes nothing back.
  if (shownInvoices.length > 0 || sentInvoices.some(({ isRegistered }) => isRegistered)) return null;
  const { payload } = progress;
  if (payload?.purpose !== 'registration') return { kind: 'read-payload', purpose: 'registration' };
  if (payload.registered) return null;
  if (payload.count < READINGS)
    return waitFor(payload, situation, settings) ?? { kind: 'read-payload', purpose: 'registration' };
  return applied(pdfOutcome?.evidence ?? 'none', null, [{ code: 'REGISTRATION_MISSING', field: 'pdf' }]);
}

/** The PATCH of 350; an order that went on behind it is not set back, and the command ends with a warning. */
function setInvoiced(situation: InvoiceSituation): Decision {
  const status = pastInvoicing(situation);
  if (status === null) return { kind: 'send', step: 'status' };
  const warnings: Problem[] = [{ code: 'STATUS_NOT_SETTABLE', field: 'status', params: { status } }];
  return applied(situation.pdfOutcome?.evidence ?? 'read-back', null, warnings);
}

/** The order's status if it is one that follows 350: ready, shipped, delivered, or delivery failed; else null. */
function pastInvoicing({ state }: InvoiceSituation): number | null {
  const status = state === null ? null : statusOf(state);
  return status !== null && BEYOND_INVOICE.has(status) ? status : null;
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

export function applied(evidence: Evidence, setsStatus: number | null, warnings: readonly Problem[] = []): Decision {
  const { conclusion } = conclude('applied', evidence);
  return { kind: 'conclude', conclusion: { ...conclusion, setsStatus, warnings } };
}
