import { ORDER_INVOICED } from '@gondola/shared/orders/order-statuses';
import type { ContentReference } from '@gondola/shared/files/content-reference';
import type { AttemptMarker, OrderAttempt } from '../commands/command-progress.ts';
import {
  type CommandBasis,
  type CommandSettings,
  type CommandTurn,
  type Decision,
  conclude,
  mayRead,
} from '../commands/decision.ts';
import type { OrderFact } from '../notifications/order-fact.ts';
import { answersTo, isOurs, findRefusal, type Refusal } from '../commands/sent-change.ts';
import { doubledMs, isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { isLost } from '@gondola/shared/commands/attempts';
import { isInvoiced } from '../orders/order-state.ts';
import { decideSent } from '../commands/decide-status-command.ts';

export interface InvoiceSituation
  extends CommandBasis, Pick<CommandTurn, 'finalPrice' | 'pdfCheck' | 'pdfOutcome' | 'attachedAt'> {
  /** Value to register, decimal text; null if only a PDF is attached. */
  readonly value: string | null;
  readonly pdf: ContentReference | null;
}

/** Input about the registration alone. */
type Registering = Pick<InvoiceSituation, 'state' | 'progress'>;

/**
 * The 350 that an open saga has reached. No event publishes it while the saga is open: its result does, or, if the
 * saga has another outcome, the event that follows it (rule 10).
 */
export function invoicedByCommand({ state, progress }: Registering): OrderFact | null {
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

const REGISTRATION_REFUSALS = ['Operation_Failed'];
/** Longest pause between two reads of one step. */
const MAX_READ_PAUSE_MS = 60_000;

/**
 * The first step of the saga; null once it is done: accepted, if a PDF follows, else shown by the platform.
 *
 *   PUT ── refused ── status: 350 ────▶ done        (rule 16)
 *    │         └── else, if another PUT may have been taken, payload: shows it ─▶ done; else refused
 *    ├── lost ── status: 350; payload: shows it ───▶ done
 *    │                        payload: 404 ────────▶ refused ORDER_UNKNOWN (rule 17)
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
  const others = registrations(situation).filter(({ answer }) => answer.kind !== 'refused');
  const mayBeTaken = others.length > (refusal.evidence === 'event' ? 1 : 0);
  if (mayBeTaken && payload?.purpose !== 'refusal' && mayAsk) return { kind: 'read-payload', purpose: 'refusal' };
  return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
}

/** True if the platform refused the registration, and no read has shown it. */
export function isRegistrationRefused(situation: Registering): boolean {
  return refusalOf(situation) !== null && !isShown(situation);
}

function refusalOf(situation: Registering): Refusal | null {
  const { state, progress } = situation;
  return findRefusal(state, { ...progress, attempts: registrations(situation) }, REGISTRATION_REFUSALS);
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

/** Rules 15, 16: status, payload, then the same PUT. */
function afterLostAnswer(situation: InvoiceSituation, last: OrderAttempt, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs } = situation;
  const count = progress.attempts.length;
  const { read, payload } = progress;
  const inMs = lookInMs(last, count, { nowMs, lostAnswerMs: settings.lostAnswerMs });
  if (inMs > 0) return { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) };
  if (read?.purpose !== 'lost-answer' || read.attempts !== count) return { kind: 'read', purpose: 'lost-answer' };
  const isRead = payload?.purpose === 'lost-answer' || payload?.purpose === 'registration';
  if (!isRead || payload.attempts !== count) return { kind: 'read-payload', purpose: 'lost-answer' };
  if (payload.kind === 'not-found') return conclude('refused', 'read-back', { code: 'ORDER_UNKNOWN' });
  if (count < settings.maxAttempts)
    return isFresh(payload, nowMs, settings.readFreshMs)
      ? { kind: 'send', step: 'register' }
      : { kind: 'read-payload', purpose: 'lost-answer' };
  if (progress.attempts.every(({ answer }) => answer.kind === 'unknown' && answer.cause === 'server-error'))
    return conclude('refused', 'read-back', { code: 'PLATFORM_REFUSED' });
  return untilShown(situation, last, settings);
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
    return decideSent({ ...situation, progress: own, target: ORDER_INVOICED }, lastPatch, settings);
  }
  const reading = readUntilInvoiced(situation, settings);
  if (reading !== null) return reading;
  if (value === null) return unlessRegistered(situation, settings) ?? { kind: 'send', step: 'status' };
  const lastAttempt = progress.attempts.at(-1);
  if (lastAttempt !== undefined && !isShown(situation)) return untilShown(situation, lastAttempt, settings);
  return { kind: 'send', step: 'status' };
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
