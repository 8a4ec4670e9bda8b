import { type Attempt, isLost } from './attempts.ts';

/**
 * Time-outs, counted from the end of a call whose answer was lost, in which the platform may still carry it out: a
 * gateway or a queue may hold it after its caller has gone (rule 16).
 */
const LATE_TIMEOUTS = 3;

/** Longest time from the start of a call until it can no longer take effect, in milliseconds. */
export function lateCallMs(timeoutMs: number): number {
  return timeoutMs + LATE_TIMEOUTS * timeoutMs;
}

/**
 * End of the newest call whose answer was lost, in milliseconds since 1970; null if none was. A call that a crash cut
 * off has ended at its time-out at the latest.
 */
export function lostCallEndMs(attempts: readonly Attempt[], timeoutMs: number): number | null {
  const ends = attempts.flatMap((attempt) => (isLost(attempt) ? [endMs(attempt, timeoutMs)] : []));
  return ends.length === 0 ? null : Math.max(...ends);
}

function endMs({ at, answer }: Attempt, timeoutMs: number): number {
  return answer.kind === 'unknown' && answer.at !== undefined ? Date.parse(answer.at) : Date.parse(at) + timeoutMs;
}

/** The later of two ends of lost calls: a stored one, RFC 3339, and one in milliseconds since 1970; null for none. */
export function laterEndAt(storedAt: string | null, ms: number | null): string | null {
  if (ms === null || (storedAt !== null && Date.parse(storedAt) >= ms)) return storedAt;
  return new Date(ms).toISOString();
}

/**
 * Time after which a lost call that ended then can no longer take effect, in milliseconds since 1970; -Infinity for
 * none.
 *
 * @param endAt RFC 3339
 */
export function landsUntilMs(endAt: string | null, timeoutMs: number): number {
  return endAt === null ? -Infinity : Date.parse(endAt) + LATE_TIMEOUTS * timeoutMs;
}
