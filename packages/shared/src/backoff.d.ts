export interface Backoff {
  readonly baseMs: number;
  readonly maxMs: number;
}
/** `baseMs` for the first, doubled with each further one of `count`, up to `maxMs`. */
export declare function doubledMs(baseMs: number, count: number, maxMs?: number): number;
/**
 * Delay after the `failures`-th failure in a row (1, 2, 3 …): doubles from `baseMs` up to `maxMs`. `random` (0 to
 * below 1) selects a value between half and all of it, so that what failed together does not return together.
 */
export declare function backoffMs({ baseMs, maxMs }: Backoff, failures: number, random: number): number;
