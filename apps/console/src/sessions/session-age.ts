import { HOUR_MS, MINUTE_MS } from '@gondola/shared/durations';

export const IDLE_MS = 8 * HOUR_MS;
export const LONGEST_MS = 24 * HOUR_MS;
const ROTATED_EVERY_MS = 15 * MINUTE_MS;
/** Calls that were under way when the token was replaced still show the one before. */
const PREVIOUS_MS = MINUTE_MS;
/** A session in use is written so often, not with each call. */
const SEEN_EVERY_MS = MINUTE_MS;

interface SessionTimes {
  readonly createdAt: Date;
  readonly rotatedAt: Date;
  readonly seenAt: Date;
}

export type SessionStep = 'over' | 'rotate' | 'see' | 'none';

/** True for a session without a call for 8 hours, or 24 hours after it began. */
export function isOver({ createdAt, seenAt }: Omit<SessionTimes, 'rotatedAt'>, now: number): boolean {
  return now - createdAt.getTime() >= LONGEST_MS || now - seenAt.getTime() >= IDLE_MS;
}

/**
 * The work that a shown token causes: the session ended, its token is replaced, or its use is noted. `isPrevious`: the
 * token is the one before the present one.
 */
export function sessionStep(
  times: SessionTimes,
  { isPrevious, now }: { readonly isPrevious: boolean; readonly now: number },
): SessionStep {
  const { rotatedAt, seenAt } = times;
  if (isOver(times, now)) return 'over';
  if (isPrevious) return now - rotatedAt.getTime() >= PREVIOUS_MS ? 'over' : 'none';
  if (now - rotatedAt.getTime() >= ROTATED_EVERY_MS) return 'rotate';
  return now - seenAt.getTime() >= SEEN_EVERY_MS ? 'see' : 'none';
}
