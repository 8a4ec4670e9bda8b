import { isLost } from '@gondola/shared/commands/attempts';
import { doubledMs } from '@gondola/shared/backoff';
import {
  atDeadline,
  hasConsumed,
  isFresh,
  isWithinGrace,
  againInMs,
  lookInMs,
  type RetrySettings,
  retrySettings,
} from '@gondola/shared/commands/retry';
import { findRefusal, type PlatformFailure, type Refusal } from './platform-failure.ts';
import type { FileAttempt, Reading } from './file-attempt.ts';

/** Durations in milliseconds, except for the count. */
export interface UploadSettings extends RetrySettings {
  /** Time from an accepted attempt to its first reading; doubled for each further reading. */
  readonly readBackMs: number;
  /** A refusal that names no operation counts once a reading this much later still does not show the file. */
  readonly refusalSettleMs: number;
  /**
   * Time after which an accepted upload that no reading shows is sent again; null: never, because a second one
   * would be added to the first.
   */
  readonly resendSilentMs: number | null;
  /** An accepted file that no reading can show counts as applied after this time without a refusal. */
  readonly presumeMs: number;
}

/**
 * Settings of a command, from the app's times and its tenant's deadlines. `resendSilentMs` is null, as images
 * require: they are added to the existing ones, so an accepted upload of images is never repeated.
 */
export function uploadSettings(
  { lostAnswerMs, readBackMs }: { readonly lostAnswerMs: number; readonly readBackMs: number },
  deadlines: { readonly commandMs: number; readonly settleMs: number },
): UploadSettings {
  const { commandMs: deadlineMs, settleMs: presumeMs } = deadlines;
  const retry = retrySettings({ deadlineMs, lostAnswerMs });
  return { ...retry, readBackMs, refusalSettleMs: retry.lostAnswerMs, resendSilentMs: null, presumeMs };
}

/**
 * Settings of a change that can be repeated after it was accepted, because it replaces itself or has nothing left
 * to do.
 */
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
   * Time up to which the records of the topics are stored; null while it is not known. A missing record may be the
   * refusal (rule 5).
   */
  readonly consumedUpToMs: number | null;
  /** Time of the last failed reading; null if none failed. */
  readonly failedReadAtMs: number | null;
}

export type UploadDecision =
  | { readonly kind: 'read' }
  | { readonly kind: 'send' }
  | { readonly kind: 'wait'; readonly ms: number }
  /**
   * Notifications written until then (milliseconds since 1970) are not all stored: one may hold the outcome (rule
   * 5).
   */
  | { readonly kind: 'catch-up'; readonly untilMs: number }
  /** Seen before anything was sent. */
  | { readonly kind: 'already-there' }
  | { readonly kind: 'applied' }
  /** Accepted and not refused, but no reading can distinguish it from the previous file. */
  | { readonly kind: 'presumed' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unconfirmed' };

const MAX_READ_PAUSE_MS = 30_000;

/**
 * Course of a file, or of one request of files, to the platform (rules 5, 15, 16, 32, 33). Success has no event, so
 * a reading is the proof. Pure: all inputs are arguments.
 *
 *   read ── there already ─────────────────────────────────────▶ already-there
 *    ▼
 *   send ◀─────────────────────────────────────────────┐
 *    ▼                                                 │
 *   sent ── read, and again with growing pauses ── all ─┼───────▶ applied
 *    ├── refused (answer or event), then read ── all ──┼───────▶ applied
 *    │                                        else ────┼───────▶ refused
 *    ├── accepted, then read: unclear, no refusal ─────────────▶ presumed
 *    ├── answer lost, then read twice: none, or unclear ┘ (bounded)
 *    └── deadline, then read: not all ─────────────────────────▶ unconfirmed
 *
 * A doubtful reading decides nothing: the list is read again. A 401, 403, 429 or refused connection is no attempt and
 * changes no state. A change that a reading shows in part is never sent again.
 */
export function decideUpload(situation: UploadSituation, settings: UploadSettings): UploadDecision {
  const { attempts, reading, failures, deadlineInMs } = situation;
  const last = attempts.at(-1);
  if (reading?.seen === 'doubtful' && isWithinGrace(deadlineInMs, settings.readGraceMs)) {
    const ms = Date.parse(reading.at) + settings.lostAnswerMs - situation.nowMs;
    return ms > 0 ? { kind: 'wait', ms } : { kind: 'read' };
  }
  if (last === undefined) return beforeSending(situation, settings);
  if (reading !== null && reading.attempts > 0 && reading.seen === 'all') return { kind: 'applied' };
  const refusal = findRefusal(attempts, failures);
  if (refusal !== null) return afterRefusal(situation, refusal, settings);
  if ((deadlineInMs ?? settings.deadlineMs) <= 0) return afterDeadline(situation, settings);
  return whileSilent(situation, last, settings);
}

/** True if a refusal is known: a reading made after that decides (rule 16). */
export function knowsRefusal({ attempts, failures }: Pick<UploadSituation, 'attempts' | 'failures'>): boolean {
  return findRefusal(attempts, failures) !== null;
}

/** The first request of a command has no deadline; a later one cannot be read for ever after the first was sent. */
function beforeSending(situation: UploadSituation, settings: UploadSettings): UploadDecision {
  const { reading, nowMs, deadlineInMs } = situation;
  const isOver = !isWithinGrace(deadlineInMs, settings.readGraceMs) && hasFailedSinceDeadline(situation);
  if (isOver) return { kind: 'unconfirmed' };
  if (reading === null || !isFresh(reading, nowMs, settings.readFreshMs)) return { kind: 'read' };
  return reading.seen === 'all' ? { kind: 'already-there' } : { kind: 'send' };
}

/** An existing file counts as applied, refused or not (rule 16). */
function afterRefusal(situation: UploadSituation, refusal: Refusal, settings: UploadSettings): UploadDecision {
  const { reading, nowMs } = situation;
  const decided: UploadDecision = { kind: 'refused', refusal };
  if (!isWithinGrace(situation.deadlineInMs, settings.readGraceMs) && hasFailedSinceDeadline(situation)) return decided;
  const settledAtMs = refusal.isCertain ? 0 : (refusal.knownAtMs ?? 0) + settings.refusalSettleMs;
  const isDecisive = reading !== null && reading.afterRefusal && Date.parse(reading.at) >= settledAtMs;
  if (isDecisive) return decided;
  return nowMs < settledAtMs ? { kind: 'wait', ms: settledAtMs - nowMs } : { kind: 'read' };
}

/** Without proof in time, one more reading decides. */
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

/** Catching up may use up the grace period, so at least one reading is attempted after the deadline (rule 5). */
function hasFailedSinceDeadline({ failedReadAtMs, nowMs, deadlineInMs }: UploadSituation): boolean {
  return failedReadAtMs !== null && deadlineInMs !== null && failedReadAtMs >= nowMs + deadlineInMs;
}

function whileSilent(situation: UploadSituation, last: FileAttempt, settings: UploadSettings): UploadDecision {
  const { attempts, reading, nowMs } = situation;
  const count = attempts.length;
  const current = reading !== null && reading.attempts === count ? reading : null;
  const lost = isLost(last);
  const lookMs = lost ? lookInMs(last, { nowMs, ...settings }) : Date.parse(last.at) + settings.readBackMs - nowMs;
  if (current === null) return readAt(nowMs + lookMs, situation);
  if (current.seen === 'unclear' && !lost) return untilPresumed(situation, { last, current }, settings);
  const againAtMs = lost
    ? nowMs + againInMs(attempts, settings.maxAttempts, { nowMs, ...settings })
    : Date.parse(last.at) + (settings.resendSilentMs ?? Infinity);
  // One reading may be behind, or an empty answer that says nothing: a lost call goes again after two.
  const isMissing = (current.seen === 'none' || current.seen === 'unclear') && (!lost || current.count > 1);
  if (isMissing && count < settings.maxAttempts && nowMs >= againAtMs) {
    return isFresh(current, nowMs, settings.readFreshMs) ? { kind: 'send' } : { kind: 'read' };
  }
  return readAt(Date.parse(current.at) + readPauseMs(settings.readBackMs, current.count), situation);
}

/**
 * The previous file may be the new one. Only a refusal would show that it is not, so the upload waits long enough
 * for one.
 */
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

/** Reads when it is due, and at the deadline at the latest. */
function readAt(atMs: number, { nowMs, deadlineInMs }: UploadSituation): UploadDecision {
  const ms = Math.min(atMs - nowMs, deadlineInMs ?? Infinity);
  return ms > 0 ? { kind: 'wait', ms } : { kind: 'read' };
}

/** Pause before the next reading, which grows with each reading. */
function readPauseMs(baseMs: number, count: number): number {
  return doubledMs(baseMs, count, Math.max(baseMs, MAX_READ_PAUSE_MS));
}
