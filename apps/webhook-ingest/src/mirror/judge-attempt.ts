import { backoffMs } from '@gondola/shared/backoff';

/** Result of one attempt: the receiver's status, or the code of a failure without an answer. */
export type Attempt = { readonly status: number } | { readonly code: string };

/** `refused`: the receiver has this notification and will never take it; `failed`: it is sent again. */
export type AttemptOutcome = 'sent' | 'refused' | 'failed';

/**
 * Answers that speak of the receiver (its token, its address, its load), not of this notification: counted as refusals
 * they would drop all that waits because of one wrong setting.
 */
const OF_THE_RECEIVER: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 408, 421, 425, 429]);

export function outcomeOf(attempt: Attempt): AttemptOutcome {
  if (!('status' in attempt)) return 'failed';
  const { status } = attempt;
  if (status >= 200 && status < 300) return 'sent';
  return status >= 400 && status < 500 && !OF_THE_RECEIVER.has(status) ? 'refused' : 'failed';
}

/** Times of a mirror in milliseconds. */
export const MIRROR_TIMES = {
  /** Between two looks while nothing waits. */
  idleMs: 250,
  /** In which the receiver must have answered. */
  answerMs: 10_000,
  /** Wait of the whole mirror after failures in a row. */
  backoff: { baseMs: 1_000, maxMs: 30_000 },
  /** After this many failed attempts a notification steps aside, so that those of other entities pass it, */
  triesInFront: 3,
  /** for this long. */
  aside: { baseMs: 5_000, maxMs: 60_000 },
};
export type MirrorTimes = typeof MIRROR_TIMES;

/**
 * Milliseconds until the mirror's next attempt and until the next one of this notification, after the `inARow`-th
 * failure of the mirror and the `attempts`-th of the notification.
 */
export function waitsAfter(
  failures: { readonly inARow: number; readonly attempts: number },
  { backoff, triesInFront, aside }: MirrorTimes,
  random: number,
): { readonly mirrorMs: number; readonly deliveryMs: number } {
  const timesAside = failures.attempts - triesInFront + 1;
  return {
    mirrorMs: backoffMs(backoff, failures.inARow, random),
    deliveryMs: timesAside > 0 ? backoffMs(aside, timesAside, random) : 0,
  };
}
