import { doubledMs } from '../backoff.ts';

/** Limits for the attempts and reads of a command (rules 5, 15, 16). Times in milliseconds. */
export interface RetrySettings {
  /** Time from the first attempt until the command ends without an outcome. */
  readonly deadlineMs: number;
  /** Time from an attempt whose answer was lost until the read that decides on another attempt. */
  readonly lostAnswerMs: number;
  /** Age above which a read no longer decides on another attempt. */
  readonly readFreshMs: number;
  /** Time after the deadline during which a failing read is retried. */
  readonly readGraceMs: number;
  /**
   * Maximum number of attempts, per step if a command has several. A call that may be repeated at any time has it only
   * while its answers arrive: see {@link againInMs}.
   */
  readonly maxAttempts: number;
}

/** Maximum number of attempts of one call. */
export const MAX_ATTEMPTS = 3;

/** Reads after a lost answer happen several times before the deadline, however short it is. */
const READINGS_PER_DEADLINE = 4;
const READ_FRESH_MS = 10_000;

/** Settings of a command, from its deadline and the app's time for a lost answer. */
export function retrySettings({ deadlineMs, lostAnswerMs }: Pick<RetrySettings, 'deadlineMs' | 'lostAnswerMs'>) {
  return {
    deadlineMs,
    lostAnswerMs: Math.min(lostAnswerMs, deadlineMs / READINGS_PER_DEADLINE),
    readFreshMs: READ_FRESH_MS,
    readGraceMs: deadlineMs,
    maxAttempts: MAX_ATTEMPTS,
  } satisfies RetrySettings;
}

/** Milliseconds until the state is read after an attempt whose answer was lost; 0 or less when it is time. */
export function lookInMs(
  last: { readonly at: string },
  { nowMs, lostAnswerMs }: { readonly nowMs: number; readonly lostAnswerMs: number },
): number {
  return Date.parse(last.at) + lostAnswerMs - nowMs;
}

/** The last attempt is made when this part of the deadline is over. */
const LAST_ATTEMPT_AT = 2 / 3;

/**
 * Milliseconds until a call may be made again whose answer was lost; 0 or less when it is time, Infinity if it was made
 * often enough. Spreads the attempts over the deadline, so that an outage of minutes uses up none of them: the first
 * repeat comes soon, the pauses double, and the last attempt begins the last third of the deadline.
 *
 *   may be repeated at any time   0 ─ 1 ── 2 ──── 4 ──────── 8 ──────── … ── ⅔ of the deadline     × lostAnswerMs
 *   counted, at most 3 in all     0 ─ 1 ──────────────────────────────────── ⅔ of the deadline
 *
 * @param attempts all attempts so far, the last one lost; at least one
 * @param most the most attempts of a counted call; Infinity for a call that may be repeated at any time
 */
export function againInMs(
  attempts: readonly { readonly at: string }[],
  most: number,
  { nowMs, deadlineMs, lostAnswerMs }: { readonly nowMs: number } & Pick<RetrySettings, 'deadlineMs' | 'lostAnswerMs'>,
): number {
  const firstMs = Date.parse(attempts[0]?.at ?? '');
  const lastMs = Date.parse(attempts.at(-1)?.at ?? '');
  const finalMs = firstMs + deadlineMs * LAST_ATTEMPT_AT;
  if (attempts.length >= most || lastMs >= finalMs) return Infinity;
  if (attempts.length === most - 1) return Math.max(finalMs, lastMs) - nowMs;
  return Math.min(lastMs + doubledMs(lostAnswerMs, attempts.length), finalMs) - nowMs;
}

/** True if a read is recent enough for a decision. */
export function isFresh({ at }: { readonly at: string }, nowMs: number, readFreshMs: number): boolean {
  return nowMs - Date.parse(at) <= readFreshMs;
}

/**
 * True if all records written to the app's topics before `untilMs` are stored; `consumedUpToMs` is null while that
 * is unknown. Silence that is caused by our own lag does not count (rule 5).
 */
export function hasConsumed(consumedUpToMs: number | null, untilMs: number): boolean {
  return consumedUpToMs !== null && consumedUpToMs >= untilMs;
}

/** True while a failing read is worth retrying: always before the deadline, and during the grace time after it. */
export function isWithinGrace(deadlineInMs: number | null, readGraceMs: number): boolean {
  return deadlineInMs === null || deadlineInMs > -readGraceMs;
}

export interface DeadlineSituation {
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  /**
   * True if records written to the app's topics before the deadline are not stored yet; the outcome may be among
   * them.
   */
  readonly isBehind: boolean;
  /** True if the platform was read since the deadline. */
  readonly hasRead: boolean;
  /**
   * True if a read was tried and failed since the deadline. If absent, the grace time alone decides, part of which
   * catching up may use.
   */
  readonly hasFailed?: boolean;
}

/**
 * Decides what to do at the deadline. A command ends without an outcome only after all records that may contain the
 * outcome are stored and the state was read once more, if it can be read (rule 5).
 *
 *   open ── deadline ──▶ catch-up ── stored ──▶ read ──┬─ was read ────────────────▶ over
 *                                                      └─ read failed, grace passed ───▶ over
 */
export function atDeadline(
  { deadlineInMs, isBehind, hasRead, hasFailed = true }: DeadlineSituation,
  readGraceMs: number,
): 'open' | 'catch-up' | 'read' | 'over' {
  if (deadlineInMs === null || deadlineInMs > 0) return 'open';
  if (isBehind) return 'catch-up';
  if (hasRead) return 'over';
  return isWithinGrace(deadlineInMs, readGraceMs) || !hasFailed ? 'read' : 'over';
}
