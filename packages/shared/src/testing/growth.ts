/**
 * Measures how work grows with its input, for tests that a busy machine cannot make fail: it measures the processor
 * time of this thread instead of wall time, repeats while the result seems too high, and uses the shortest of all
 * runs. Other processes can only make a run longer.
 */

/** Growth after three doublings: linear work takes 8 times as long, quadratic work 64 times. */
export const DOUBLED_THRICE = 8;
/** Work that at most triples with each doubling takes at most this many times as long. */
export const TRIPLED_THRICE = 27;

const RUNS = 8;
/** Below this time, caches, the compiler and the resolution of the processor's clock dominate. */
const FLOOR_US = 2_000;
/** A run of this length shows its growth without repetition. */
const ENOUGH_US = 2_000_000;
/** Shorter work is repeated for this time, and its mean is used. */
const REPEATED_US = 20_000;

type Work = () => unknown;

/**
 * Factor by which `large` takes longer than `small`, or a smaller one: no further runs are made once it is at most
 * `most`, and `small` is not run if `large` is too short for a comparison. Both must be repeatable.
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

/** Processor time of this thread for one run, in microseconds. */
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
