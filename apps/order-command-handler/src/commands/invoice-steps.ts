import { ENDS_INVOICING, naturalRank, ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import type { AttemptMarker, OrderAttempt } from './command-progress.ts';
import {
  type CommandBasis,
  type CommandSettings,
  type CommandTurn,
  type Decision,
  conclude,
  mayRead,
} from './decision.ts';
import type { OrderFact } from '../facts/order-fact.ts';
import { answersTo, isOurs, findRefusal, type Refusal } from './sent-change.ts';
import { doubledMs } from '@gondola/shared/backoff';
import { againInMs, isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { isLost, isNameless } from '@gondola/shared/commands/attempts';
import { isInvoiced, statusOf } from '../facts/order-state.ts';
import { decideSent } from './status-commands.ts';

export interface InvoiceSituation
  extends CommandBasis, Pick<CommandTurn, 'finalPrice' | 'pdfCheck' | 'pdfOutcome' | 'attachedAt'> {
  /** Value to register, decimal text; null if only a PDF is attached. */
  readonly value: string | null;
  readonly pdf: ContentReference | null;
}

/** Input about the registration alone. */
type Registering = Pick<InvoiceSituation, 'state' | 'progress' | 'otherOperationIds'>;

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
 *   PUT ── refused ── status: 350 ────▶ done        (rule 16)
 *    │         └── else, if another PUT may have been taken, payload: shows it ─▶ done; else refused
 *    ├── lost ── status: 350; payload: shows it ───▶ done
 *    │                        500, payload: 404 ───▶ refused ORDER_UNKNOWN (rule 17)
 *    │                        else the same PUT, three at most (rule 15)
 *    └── accepted ── a PDF follows ────────────────▶ done
 *              └── payload with backoff: shows it ─▶ done; else the same PUT, three at most
 */
export function untilRegistered(situation: InvoiceSituation, settings: CommandSettings): Decision | null {
  const last = registrations(situation).at(-1);
  if (last === undefined) return { kind: 'send', step: 'register' };
  if (isShown(situation)) return null;
  const refused = refusedRegistration(situation, settings);
  if (refused !== null) return refused;
  if (isLost(last)) return afterLostAnswer(situation, last, settings);
  return situation.pdf === null ? untilShown(situation, last, settings) : null;
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

/** True if a read has shown the registration since it was first sent. */
function isShown(situation: Registering): boolean {
  const { payload, read } = situation.progress;
  if (invoicedByCommand(situation) !== null) return true;
  return (
    (payload?.registered === true && payload.attempts > 0) || (read?.status === ORDER_INVOICED && read.attempts > 0)
  );
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
  const { progress, value } = situation;
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
  if (value === null) return unlessRegistered(situation, settings) ?? setInvoiced(situation);
  const lastAttempt = progress.attempts.at(-1);
  if (lastAttempt !== undefined && !isShown(situation)) return untilShown(situation, lastAttempt, settings);
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
  const { progress, pdfOutcome } = situation;
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
