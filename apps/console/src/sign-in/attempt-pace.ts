import { MINUTE_MS } from '@gondola/shared/durations';

/** Attempts of one name or address. */
export interface AttemptPace {
  /** Failures without a success between them. */
  readonly failures: number;
  /** Before it, an attempt is refused unheard; milliseconds since 1970. */
  readonly nextAt: number;
  readonly lastAt: number;
}

/** Number of failed attempts that cost no wait but the usual one. */
const FREE_FAILURES = 3;
/** Three attempts a second. */
const USUAL_MS = 334;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** Failures are forgotten after this time without an attempt. */
const FORGOTTEN_AFTER_MS = 15 * MINUTE_MS;

/** Milliseconds until the next attempt is heard; 0: now. */
export function waitMs(pace: AttemptPace | undefined, now: number): number {
  return pace === undefined ? 0 : Math.max(0, pace.nextAt - now);
}

/** True for one whose failures cost a wait. */
export function isSlowed({ failures }: AttemptPace): boolean {
  return failures > FREE_FAILURES;
}

/** Counts an attempt as failed until it succeeds: the fourth failure waits 1 s, each further one twice as long. */
export function afterAttempt(pace: AttemptPace | undefined, now: number): AttemptPace {
  const isForgotten = pace === undefined || now - pace.lastAt >= FORGOTTEN_AFTER_MS;
  const failures = (isForgotten ? 0 : pace.failures) + 1;
  const doublings = failures - FREE_FAILURES - 1;
  const wait =
    failures <= FREE_FAILURES ? burstMs(failures) : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** doublings);
  return { failures, nextAt: now + wait, lastAt: now };
}

/** The first attempts may come at once, and the next one when their second is over. */
function burstMs(failures: number): number {
  return failures < FREE_FAILURES ? 0 : FREE_FAILURES * USUAL_MS;
}
