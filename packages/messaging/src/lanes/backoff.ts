export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}

/** Beyond this many doublings any sensible base has reached its maximum; the power stays finite. */
const MAX_DOUBLINGS = 30;

/**
 * How long to wait after the `failures`-th failure in a row (1, 2, 3 …): doubling from `baseMs` up to `maxMs`, then
 * between half and all of that by `random` (0 to below 1), so that what failed together does not come back together.
 */
export function backoffMs({ baseMs, maxMs }: Backoff, failures: number, random: number): number {
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  const fullMs = Math.min(maxMs, baseMs * 2 ** doublings);
  return Math.ceil(fullMs * (0.5 + random / 2));
}
