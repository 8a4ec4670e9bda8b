/** After this many doublings any sensible base has reached its maximum; the limit prevents an infinite power. */
const MAX_DOUBLINGS = 30;
/** `baseMs` for the first, doubled with each further one of `count`, up to `maxMs`. */
export function doubledMs(baseMs, count, maxMs = Infinity) {
  return Math.min(baseMs * 2 ** Math.min(Math.max(count - 1, 0), MAX_DOUBLINGS), maxMs);
}
/**
 * Delay after the `failures`-th failure in a row (1, 2, 3 …): doubles from `baseMs` up to `maxMs`. `random` (0 to
 * below 1) selects a value between half and all of it, so that what failed together does not return together.
 */
export function backoffMs({ baseMs, maxMs }, failures, random) {
  return Math.ceil(doubledMs(baseMs, failures, maxMs) * (0.5 + random / 2));
}
//# sourceMappingURL=backoff.js.map
