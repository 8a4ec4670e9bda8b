/**
 * How work grows with its input, for tests that a busy machine cannot fail: measured in the processor time of this
 * thread, not by the clock, again while it seems too much, and by the least of all runs. What others do at the same
 * time only ever makes a run longer.
 */

/** Three doublings: what is linear takes 8 times as long, what is quadratic 64 times. */
export const DOUBLED_THRICE = 8;
/** What at most triples with each doubling takes at most so many times as long. */
export const TRIPLED_THRICE = 27;

const RUNS = 8;
/** Below this, caches, the compiler and the grain of the processor's clock say more than the work does. */
const FLOOR_US = 2_000;
/** A run that is as long shows its growth at once. */
const ENOUGH_US = 2_000_000;
/** Short work is repeated for as long, and its mean taken. */
const REPEATED_US = 20_000;

type Work = () => unknown;

/**
 * How many times as long `large` takes as `small`, or less: no more runs are made once it is at most `most`, and none
 * of `small` where
 * `large` is too short to be compared. Both must stand being repeated.
 */
export async function growthOf(small: Work, large: Work, most: number): Promise<number> {
  let [one, other] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run += 1) {
    other = Math.min(other, await processorTimeOf(large));
    if (other <= most * FLOOR_US) return other / FLOOR_US;
    one = Math.min(one, Math.max(FLOOR_US, await meanTimeOf(small)));
    if (other <= most * one || other > ENOUGH_US) break;
  }
  return other / one;
}

/** Microseconds of this thread's processor time for one run. */
async function processorTimeOf(work: Work): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  return since(before);
}

async function meanTimeOf(work: Work): Promise<number> {
  const before = process.threadCpuUsage();
  let count = 0;
  for (; since(before) < REPEATED_US; count += 1) await work();
  return since(before) / count;
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
