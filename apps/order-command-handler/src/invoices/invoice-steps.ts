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
import { answersTo, isOurs, findRefusal } from '../commands/sent-change.ts';
import { doubledMs, isFresh, lookInMs } from '@gondola/shared/commands/retry';
import { isLost } from '@gondola/shared/commands/attempts';
import { decideSent } from '../commands/decide-status-command.ts';

export interface InvoiceSituation extends CommandBasis, Pick<CommandTurn, 'finalPrice' | 'pdfCheck' | 'pdfOutcome'> {
  /** The value that is registered, decimal text; null where only a PDF is attached. */
  readonly value: string | null;
  readonly pdf: ContentReference | null;
}

/**
 * The 350 that an open saga has reached, which no event publishes while the saga lasts: its result does, or, if the
 * saga ends otherwise, the event that follows then (rule 10).
 */
export function invoicedByCommand({ state, progress }: Pick<InvoiceSituation, 'state' | 'progress'>): OrderFact | null {
  const markers = markersOf({ progress });
  const reached = (state?.facts ?? []).filter((fact) => !fact.failure && fact.status === ORDER_INVOICED);
  return reached.find((fact) => isOurs(fact, progress) || markers.some((marker) => answersTo(fact, marker))) ?? null;
}

function markersOf({ progress }: Pick<InvoiceSituation, 'progress'>): AttemptMarker[] {
  return [...progress.attempts, ...(progress.pdfAsked === null ? [] : [progress.pdfAsked])];
}

/** What was written down first; null before anything was. */
export function firstMarker({
  progress: { attempts, pdfAsked },
}: Pick<InvoiceSituation, 'progress'>): AttemptMarker | null {
  return attempts[0] ?? pdfAsked;
}

const REGISTRATION_REFUSALS = ['Operation_Failed'];
/** Longest pause between two readings of one step. */
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
  const { state, progress, pdf } = situation;
  const last = registrations(situation).at(-1);
  if (last === undefined) return { kind: 'send', step: 'register' };
  if (isShown(situation)) return null;
  const refusal = findRefusal(state, { ...progress, attempts: registrations(situation) }, REGISTRATION_REFUSALS);
  if (refusal !== null) {
    const mayAsk = mayRead(situation, settings);
    if (progress.read?.purpose !== 'refusal' && mayAsk) return { kind: 'read', purpose: 'refusal' };
    const others = registrations(situation).filter(({ answer }) => answer.kind !== 'refused');
    const mayBeTaken = others.length > (refusal.evidence === 'event' ? 1 : 0);
    if (mayBeTaken && progress.payload?.purpose !== 'refusal' && mayAsk)
      return { kind: 'read-payload', purpose: 'refusal' };
    return conclude('refused', refusal.evidence, { code: 'PLATFORM_REFUSED' }, refusal.platform);
  }
  if (isLost(last)) return afterLostAnswer(situation, last, settings);
  return pdf === null ? untilShown(situation, last, settings) : null;
}

/** Whether the platform has shown the registration since it was first sent. */
function isShown(situation: InvoiceSituation): boolean {
  const { payload, read } = situation.progress;
  if (invoicedByCommand(situation) !== null) return true;
  return (
    (payload?.registered === true && payload.attempts > 0) || (read?.status === ORDER_INVOICED && read.attempts > 0)
  );
}

/** Reads the payload with backoff; after some readings, and as long as it may, it sends the same registration again. */
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

/** Readings that show nothing before a step does more than read. */
const READINGS = 4;

function registrations({ progress }: InvoiceSituation): OrderAttempt[] {
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
 * The last step of the saga: both parts of the invoice are there, so the order becomes 350 by itself; the status is
 * read with backoff. If it does not, it is set by PATCH, but only while the registration shows: without one, the order
 * would be called invoiced and is not.
 */
export function untilInvoiced(situation: InvoiceSituation, settings: CommandSettings): Decision {
  const { progress, nowMs, deadlineInMs, value, pdfOutcome } = situation;
  const patches = progress.attempts.filter(({ step }) => step === 'status');
  const others = progress.attempts.length - patches.length;
  const lastPatch = patches.at(-1);
  if (lastPatch !== undefined) {
    // To the PATCH, only what was read since it was sent says something.
    const { read } = progress;
    const sinceRead = read === null || read.attempts <= others ? null : { ...read, attempts: read.attempts - others };
    const own = { ...progress, attempts: patches, read: sinceRead };
    return decideSent({ ...situation, progress: own, target: ORDER_INVOICED }, lastPatch, settings);
  }
  const { read } = progress;
  const isFirst = read?.purpose !== 'invoiced' || read.attempts !== progress.attempts.length;
  if (isFirst) return { kind: 'read', purpose: 'invoiced' };
  if (read.count < READINGS) {
    const inMs = Date.parse(read.at) + doubledMs(settings.readBackMs, read.count) - nowMs;
    return inMs > 0
      ? { kind: 'wait', ms: Math.min(inMs, deadlineInMs ?? inMs) }
      : { kind: 'read', purpose: 'invoiced' };
  }
  if (pdfOutcome?.outcome === 'unconfirmed') return conclude('unconfirmed', 'none', { code: 'PLATFORM_SILENT' });
  const lastAttempt = progress.attempts.at(-1);
  if (value !== null && lastAttempt !== undefined && !isShown(situation))
    return untilShown(situation, lastAttempt, settings);
  return { kind: 'send', step: 'status' };
}
