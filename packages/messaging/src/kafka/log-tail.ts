/** A partition whose newest records are read, from its end backwards to `floor`. */
export interface Tail {
  /** Offset below which nothing is read. */
  readonly floor: bigint;
  /** All records from here to the partition's end were read. */
  readonly low: bigint;
  /** Number of offsets in the next window. */
  readonly span: bigint;
  /** Bytes of the last window by offset. */
  readonly perOffset: number;
}

/** Bytes in which a window should have room: small enough that a slow Kafka shows the newest ones first. */
export const WINDOW_BYTES = 1_048_576;
/** Bytes of a fetch at least: a smaller one costs Kafka and the way there as much. */
const LEAST_FETCH_BYTES = 65_536;
/** A fetch has room for more than the estimate, so that the end of a window seldom needs one of its own. */
const ROOM = 1.25;
/** Windows below each other grow by this factor at most, so that one estimate cannot ask for too much. */
const GROWTH = 4n;
/** A window with more than this many times its bytes is tried again with fewer offsets. */
const TOO_LONG = 3;

/**
 * The tail of a partition that has records from `start` to before `end`. A place beyond the end is of a topic that was
 * deleted and made anew, or of another one: like a missing place it says nothing, so all records are of interest.
 */
export function tailOf({ start, end }: { readonly start: bigint; readonly end: bigint }, place?: bigint): Tail {
  const wanted = place === undefined || place > end ? start : place;
  return { floor: wanted > start ? wanted : start, low: end, span: 1n, perOffset: 0 };
}

/** The same tail when the partition has no records before `start` any more. */
export function withStart(tail: Tail, start: bigint): Tail {
  return start > tail.floor ? { ...tail, floor: start } : tail;
}

export function isRead({ floor, low }: Tail): boolean {
  return low <= floor;
}

/** First offset of the next window, which ends before `low`. */
export function windowStart({ floor, low, span }: Tail): bigint {
  return low - span > floor ? low - span : floor;
}

/** Bytes of a fetch of what is left of the window from `next` on. */
export function fetchBytes({ low, perOffset }: Tail, next: bigint): number {
  return Math.min(WINDOW_BYTES, Math.max(LEAST_FETCH_BYTES, Math.ceil(Number(low - next) * perOffset * ROOM)));
}

/**
 * The tail with fewer offsets in its next window, if the part of this window before `next` has so many bytes that the
 * older records in it would be read long before its newest ones; else null.
 */
export function shortened(tail: Tail, next: bigint, bytes: number): Tail | null {
  const from = windowStart(tail);
  const perOffset = bytes / Number(next - from);
  if (tail.low - from === 1n || Number(tail.low - next) * perOffset < TOO_LONG * WINDOW_BYTES) return null;
  return { ...tail, perOffset, span: atLeastOne(least((tail.low - from) / GROWTH, fitting(perOffset))) };
}

/** The tail after its window was read, of which the batches had `bytes` in all and began at `first`. */
export function afterWindow(tail: Tail, first: bigint, bytes: number): Tail {
  const from = windowStart(tail);
  const low = first < from ? first : from;
  const perOffset = bytes / Number(tail.low - low);
  return { ...tail, low, perOffset, span: atLeastOne(least(tail.span * GROWTH, fitting(perOffset))) };
}

/** Offsets whose records fit into a window. */
function fitting(bytesPerOffset: number): bigint {
  return BigInt(Math.floor(WINDOW_BYTES / Math.max(bytesPerOffset, 1)));
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function atLeastOne(count: bigint): bigint {
  return count > 1n ? count : 1n;
}
