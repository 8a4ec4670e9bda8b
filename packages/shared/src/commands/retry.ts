/** How often and how long a command is tried (rules 5, 15, 16). All in milliseconds but the count. */
export interface RetrySettings {
  /** From the first attempt to the end without an outcome. */
  readonly deadlineMs: number;
  /** From an attempt whose answer was lost to the reading that decides whether there is another. */
  readonly lostAnswerMs: number;
  /** A reading older than this says nothing any more about whether to try again. */
  readonly readFreshMs: number;
  /** After the deadline, how long a reading that cannot be made is tried again. */
  readonly readGraceMs: number;
  /** Attempts at most, of one step where a command has several. */
  readonly maxAttempts: number;
}

/** Attempts of one call at most. */
export const MAX_ATTEMPTS = 3;

/** Readings for a lost answer come several times before the deadline, however short it is. */
const READINGS_PER_DEADLINE = 4;
const READ_FRESH_MS = 10_000;
/** Beyond this many doublings any base has reached any sensible maximum; it keeps the power finite. */
const MAX_DOUBLINGS = 20;

/** The settings of a command from its deadline and the app's time for a lost answer. */
export function retrySettings({ deadlineMs, lostAnswerMs }: Pick<RetrySettings, 'deadlineMs' | 'lostAnswerMs'>) {
  return {
    deadlineMs,
    lostAnswerMs: Math.min(lostAnswerMs, deadlineMs / READINGS_PER_DEADLINE),
    readFreshMs: READ_FRESH_MS,
    readGraceMs: deadlineMs,
    maxAttempts: MAX_ATTEMPTS,
  } satisfies RetrySettings;
}

/** `baseMs` for the first, doubled with each further one of `count`, up to `maxMs`. */
export function doubledMs(baseMs: number, count: number, maxMs = Infinity): number {
  return Math.min(baseMs * 2 ** Math.min(Math.max(count - 1, 0), MAX_DOUBLINGS), maxMs);
}

/**
 * How long until it is looked what became of an attempt whose answer was lost, 0 or less once it is time. `count`:
 * attempts so far, the wait doubling with each; 1 where it stays the same.
 */
export function lookInMs(
  last: { readonly at: string },
  count: number,
  { nowMs, lostAnswerMs }: { readonly nowMs: number; readonly lostAnswerMs: number },
): number {
  return Date.parse(last.at) + doubledMs(lostAnswerMs, count) - nowMs;
}

/** Whether a reading is new enough to decide by. */
export function isFresh({ at }: { readonly at: string }, nowMs: number, readFreshMs: number): boolean {
  return nowMs - Date.parse(at) <= readFreshMs;
}

/**
 * Whether all that stood in the app's topics at a time is stored, `consumedUpToMs` being null while that is not known.
 * A silence that is only our own lag is none (rule 5).
 */
export function hasConsumed(consumedUpToMs: number | null, untilMs: number): boolean {
  return consumedUpToMs !== null && consumedUpToMs >= untilMs;
}

/** Whether what cannot be read yet is worth waiting for; before the deadline it always is. */
export function isWithinGrace(deadlineInMs: number | null, readGraceMs: number): boolean {
  return deadlineInMs === null || deadlineInMs > -readGraceMs;
}

export interface DeadlineSituation {
  /** Milliseconds left, by the database's clock; null before the first attempt. */
  readonly deadlineInMs: number | null;
  /** What was written to the app's topics before the deadline is not all stored: the outcome may be among it. */
  readonly isBehind: boolean;
  /** The platform was read once more since the deadline. */
  readonly hasRead: boolean;
  /**
   * A reading was tried since the deadline and could not be made. Where it says nothing the grace alone decides, and
   * catching up may use it up.
   */
  readonly hasFailed?: boolean;
}

/**
 * What the deadline asks for. A missing outcome is none before all that could tell it is stored, and the truth was read
 * once more, where it can be (rule 5).
 *
 *   open ── deadline ──▶ catch-up ── stored ──▶ read ──┬─ was read ────────────────▶ over
 *                                                      └─ tried in vain, grace passed ─▶ over
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
