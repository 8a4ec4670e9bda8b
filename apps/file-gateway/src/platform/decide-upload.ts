import { isLost } from '@gondola/shared/commands/attempts';
import {
  atDeadline,
  doubledMs,
  hasConsumed,
  isFresh,
  isWithinGrace,
  lookInMs,
  type RetrySettings,
  retrySettings,
} from '@gondola/shared/commands/retry';
import { findRefusal, type PlatformFailure, type Refusal } from './platform-failure.ts';
import type { FileAttempt, Reading } from './file-attempt.ts';

/** How long things may take. All in milliseconds, except for the count. */
export interface UploadSettings extends RetrySettings {
  /** From an accepted attempt to its first reading; doubled with each further one. */
  readonly readBackMs: number;
  /** A refusal that names no operation counts once a reading this much later still shows nothing. */
  readonly refusalSettleMs: number;
  /**
   * An accepted upload of which nothing is seen is sent again after this; null: never, since a second one would add to
   * the first.
   */
  readonly resendSilentMs: number | null;
  /** A file that is accepted, and of which nothing can be seen, counts as applied after so long without a refusal. */
  readonly presumeMs: number;
}

/**
 * The settings of a command, by the app's times and its tenant's deadlines. `resendSilentMs` is null, as images want
 * it: they are added to those that are there, so that a silent upload of them never goes again.
 */
export function uploadSettings(
  { lostAnswerMs, readBackMs }: { readonly lostAnswerMs: number; readonly readBackMs: number },
  deadlines: { readonly commandMs: number; readonly settleMs: number },
): UploadSettings {
  const { commandMs: deadlineMs, settleMs: presumeMs } = deadlines;
  const retry = retrySettings({ deadlineMs, lostAnswerMs });
  return { ...retry, readBackMs, refusalSettleMs: retry.lostAnswerMs, resendSilentMs: null, presumeMs };
}

/** Of a change that may go again although it was accepted: it takes its own place, or has nothing left to do. */
export function repeatable(settings: UploadSettings): UploadSettings {
  return { ...settings, resendSilentMs: settings.deadlineMs / settings.maxAttempts };
}

export interface UploadSituation {
  readonly attempts: readonly FileAttempt[];
  /** The last reading; null before the first. */
  readonly reading: Reading | null;
  readonly failures: readonly PlatformFailure[];
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  readonly nowMs: number;
  /**
   * All that stood in the topics then is stored; null while that is not known. What is missing may be the refusal (rule
   * 5).
   */
  readonly consumedUpToMs: number | null;
  /** When a reading could not be made, the last time; null: each could. */
  readonly failedReadAtMs: number | null;
}

export type UploadDecision =
  | { readonly kind: 'read' }
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Notifications written until then (milliseconds since 1970) are not all stored: the outcome may be one (rule 5). */
  | { readonly kind: 'catch-up'; readonly untilMs: number }
  /** Seen before anything was sent. */
  | { readonly kind: 'already-there' }
  | { readonly kind: 'applied' }
  /** Accepted and not refused, but no reading can distinguish it from the file before. */
  | { readonly kind: 'presumed' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unconfirmed' };

const MAX_READ_PAUSE_MS = 30_000;

/**
 * A file, or one request of files, on its way to the platform (rules 5, 15, 16, 32, 33). Success has no event: the
 * proof is what can be read. Pure: everything it looks at is an argument.
 *
 *   read ── there already ─────────────────────────────────────▶ already-there
 *    ▼
 *   send ◀─────────────────────────────────────────────┐
 *    ▼                                                 │
 *   sent ── read, and again with growing pauses ── all ─┼───────▶ applied
 *    ├── refused (answer or event), then read ── all ──┼───────▶ applied
 *    │                                        else ────┼───────▶ refused
 *    ├── accepted, then read: unclear, no refusal ─────────────▶ presumed
 *    ├── answer lost, then read: none of it, or unclear ┘ (bounded)
 *    └── deadline, then read: not all ─────────────────────────▶ unconfirmed
 *
 * A 401, 403, 429 or refused connection is no attempt and leaves it where it was. What was seen in part is never sent
 * again.
 */
export function decideUpload(situation: UploadSituation, settings: UploadSettings): UploadDecision {
  const { attempts, reading, failures, deadlineInMs } = situation;
  const last = attempts.at(-1);
  if (last === undefined) return beforeSending(situation, settings);
  if (reading !== null && reading.attempts > 0 && reading.seen === 'all') return { kind: 'applied' };
  const refusal = findRefusal(attempts, failures);
  if (refusal !== null) return afterRefusal(situation, refusal, settings);
  if ((deadlineInMs ?? settings.deadlineMs) <= 0) return afterDeadline(situation, settings);
  return whileSilent(situation, last, settings);
}

/** Whether a refusal is known: a reading made then is the one that decides (rule 16). */
export function knowsRefusal({ attempts, failures }: Pick<UploadSituation, 'attempts' | 'failures'>): boolean {
  return findRefusal(attempts, failures) !== null;
}

function beforeSending({ reading, nowMs }: UploadSituation, settings: UploadSettings): UploadDecision {
  if (reading === null || !isFresh(reading, nowMs, settings.readFreshMs)) return { kind: 'read' };
  return reading.seen === 'all' ? { kind: 'already-there' } : { kind: 'send' };
}

/** A file that is there counts as applied, refused or not (rule 16). */
function afterRefusal(situation: UploadSituation, refusal: Refusal, settings: UploadSettings): UploadDecision {
  const { reading, nowMs } = situation;
  const decided: UploadDecision = { kind: 'refused', refusal };
  if (!isWithinGrace(situation.deadlineInMs, settings.readGraceMs) && hasFailedSinceDeadline(situation)) return decided;
  const settledAtMs = refusal.isCertain ? 0 : (refusal.knownAtMs ?? 0) + settings.refusalSettleMs;
  const isDecisive = reading !== null && reading.afterRefusal && Date.parse(reading.at) >= settledAtMs;
  if (isDecisive) return decided;
  return nowMs < settledAtMs ? { kind: 'wait', ms: settledAtMs - nowMs } : { kind: 'read' };
}

/** No proof in time: it is looked for once more, and what is seen is the end. */
function afterDeadline(situation: UploadSituation, settings: UploadSettings): UploadDecision {
  const { reading, nowMs, deadlineInMs, consumedUpToMs } = situation;
  const deadlineAtMs = nowMs + (deadlineInMs ?? 0);
  const isBehind = !hasConsumed(consumedUpToMs, deadlineAtMs);
  const hasRead = reading?.afterDeadline === true;
  const hasFailed = hasFailedSinceDeadline(situation);
  const next = atDeadline({ deadlineInMs, isBehind, hasRead, hasFailed }, settings.readGraceMs);
  if (next === 'catch-up') return { kind: 'catch-up', untilMs: deadlineAtMs };
  if (next === 'read') return { kind: 'read' };
  return { kind: reading?.seen === 'unclear' && wasAccepted(situation) ? 'presumed' : 'unconfirmed' };
}

/** Catching up may use the grace up: a reading is tried once at least (rule 5). */
function hasFailedSinceDeadline({ failedReadAtMs, nowMs, deadlineInMs }: UploadSituation): boolean {
  return failedReadAtMs !== null && deadlineInMs !== null && failedReadAtMs >= nowMs + deadlineInMs;
}

function whileSilent(situation: UploadSituation, last: FileAttempt, settings: UploadSettings): UploadDecision {
  const { attempts, reading, nowMs } = situation;
  const count = attempts.length;
  const current = reading !== null && reading.attempts === count ? reading : null;
  const lost = isLost(last);
  const { lostAnswerMs } = settings;
  const lookMs = lost
    ? lookInMs(last, count, { nowMs, lostAnswerMs })
    : Date.parse(last.at) + settings.readBackMs - nowMs;
  if (current === null) return readAt(nowMs + lookMs, situation);
  if (current.seen === 'unclear' && !lost) return untilPresumed(situation, { last, current }, settings);
  const againAtMs = lost ? nowMs + lookMs : Date.parse(last.at) + (settings.resendSilentMs ?? Infinity);
  if ((current.seen === 'none' || current.seen === 'unclear') && count < settings.maxAttempts && nowMs >= againAtMs) {
    return isFresh(current, nowMs, settings.readFreshMs) ? { kind: 'send' } : { kind: 'read' };
  }
  return readAt(Date.parse(current.at) + readPauseMs(settings.readBackMs, current.count), situation);
}

/** The file of before may be the new one: what shows that it is not is a refusal, and that has had its time. */
function untilPresumed(
  situation: UploadSituation,
  { last, current }: { readonly last: FileAttempt; readonly current: Reading },
  settings: UploadSettings,
): UploadDecision {
  const presumeAtMs = Date.parse(last.at) + settings.presumeMs;
  if (situation.nowMs < presumeAtMs || Date.parse(current.at) < presumeAtMs) {
    const nextMs = Date.parse(current.at) + readPauseMs(settings.readBackMs, current.count);
    return readAt(Math.min(nextMs, presumeAtMs), situation);
  }
  if (hasConsumed(situation.consumedUpToMs, presumeAtMs)) return { kind: 'presumed' };
  return { kind: 'catch-up', untilMs: presumeAtMs };
}

function wasAccepted({ attempts }: UploadSituation): boolean {
  return attempts.some(({ answer }) => answer.kind === 'accepted');
}

/** Reads when it is time, and at the deadline at the latest. */
function readAt(atMs: number, { nowMs, deadlineInMs }: UploadSituation): UploadDecision {
  const ms = Math.min(atMs - nowMs, deadlineInMs ?? Infinity);
  return ms > 0 ? { kind: 'wait', ms } : { kind: 'read' };
}

/** Each further reading comes later. */
function readPauseMs(baseMs: number, count: number): number {
  return doubledMs(baseMs, count, Math.max(baseMs, MAX_READ_PAUSE_MS));
}
