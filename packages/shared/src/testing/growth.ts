/**
 * How work grows with its input, for tests that a busy machine cannot fail: measured in the processor time of this thread, not by the clock,
 * and by the least of several runs, so that whoever else works at the same time is not counted.
 */

const RUNS = 4;
/** Below this, in microseconds, caches and the compiler say more than the work does. */
const FLOOR_US = 20_000;
/** A run that is as long shows its growth at once. */
const ENOUGH_US = 1_000_000;

export interface Growth {
  /** Microseconds of the processor for the input, and for twice as much. */
  readonly once: number;
  readonly twice: number;
  /** How many times as long twice as much takes; 1 where both are too short to be compared. */
  readonly factor: number;
}

/** `make` builds an input of `size`; `work` is measured. */
export function growthOf<T>(size: number, make: (size: number) => T, work: (input: T) => void): Growth {
  const [one, two] = [make(size), make(2 * size)];
  const once = leastOf(() => work(one));
  const twice = leastOf(() => work(two));
  return { once, twice, factor: Math.max(twice, FLOOR_US) / Math.max(once, FLOOR_US) };
}

/** Microseconds of this thread's processor time for the shortest of several runs; no more runs once one took at most `enough`. */
export function leastOf(work: () => void, enough = 0): number {
  let least = Infinity;
  for (let run = 0; run < RUNS && least > enough; run += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
    if (least > ENOUGH_US) break;
  }
  return least;
}
