import type { TopicName } from '@gondola/shared/topics/topics';

/** A partition's offsets at one moment. */
export interface GroupOffsets {
  readonly topic: TopicName;
  readonly partition: number;
  /** The oldest record that still exists. */
  readonly low: bigint;
  /** Where the next record will be. */
  readonly end: bigint;
  /** Where the group goes on; negative as long as it has committed nothing. */
  readonly committed: bigint;
}

/** What is known of how far a group has come; times in milliseconds since 1970. */
export interface LagProgress {
  readonly consumedUpTo: number | null;
  /** The mark that is waited for: where the partitions ended at that time. Null while nothing is left to wait for. */
  readonly mark: { readonly at: number; readonly ends: ReadonlyMap<string, bigint> } | null;
}

export const NOTHING_CONSUMED: LagProgress = { consumedUpTo: null, mark: null };

/** Records that exist and are not committed. */
export function lagOf({ low, end, committed }: Pick<GroupOffsets, 'low' | 'end' | 'committed'>): bigint {
  const next = committed < low ? low : committed;
  return end > next ? end - next : 0n;
}

/**
 * Progress after a look at time `at`. A topic that is written all the time never has a lag of zero, so a mark is set
 * where the partitions end, and once the group has passed it, everything up to the mark's time is consumed.
 */
export function progressed(before: LagProgress, at: number, offsets: readonly GroupOffsets[]): LagProgress {
  if (offsets.every((each) => lagOf(each) === 0n)) return { consumedUpTo: at, mark: null };
  const mark = { at, ends: new Map(offsets.map((each) => [keyOf(each), each.end])) };
  if (before.mark === null) return { consumedUpTo: before.consumedUpTo, mark };
  const { at: markedAt, ends } = before.mark;
  const passed = offsets.every((each) => lagOf({ ...each, end: ends.get(keyOf(each)) ?? each.end }) === 0n);
  return passed ? { consumedUpTo: markedAt, mark } : before;
}

function keyOf({ topic, partition }: GroupOffsets): string {
  return `${topic}/${partition}`;
}
