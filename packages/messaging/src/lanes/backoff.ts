export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** After this many doublings any sensible base has reached its maximum; the limit prevents an infinite power. */
const MAX_DOUBLINGS = 30;

/**
 * Delay after the `failures`-th failure in a row (1, 2, 3 …): doubles from `baseMs` up to `maxMs`. `random` (0 to
 * below 1) selects a value between half and all of it, so that lanes which failed together do not return together.
 */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number, random: number): number {
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  const fullMs = Math.min(maxMs, baseMs * 2 ** doublings);
  return Math.ceil(fullMs * (0.5 + random / 2));
}
