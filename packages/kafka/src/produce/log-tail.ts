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
  /** Older parts that are read already, the oldest first; windows stay behind the last of them. */
  readonly ahead: readonly Part[];
}

/** Offsets from `start` to before `end`. */
interface Part {
  readonly start: bigint;
  readonly end: bigint;
}

/** Bytes in which a window should have room: small enough that a slow Kafka shows the newest ones first. */
export const WINDOW_BYTES = 1_048_576;
/** Bytes of a fetch at least: a smaller one costs Kafka and the way there as much. */
const LEAST_FETCH_BYTES = 16_384;
/** A fetch has room for more than the estimate, so that the end of a window seldom needs one of its own. */
const ROOM = 1.25;
/** Windows below each other grow by this factor at most, so that one estimate cannot ask for too much. */
const GROWTH = 4n;
/** A window that seems to have more than this many times its bytes is left for its newest records. */
const TOO_LONG = 2;

/**
 * The tail of a partition that has records from `start` to before `end`. A place beyond the end is of a topic that was
 * deleted and made anew, or of another one: like a missing place it says nothing, so all records are of interest.
 */
export function tailOf({ start, end }: { readonly start: bigint; readonly end: bigint }, place?: bigint): Tail {
  const wanted = place === undefined || place > end ? start : place;
  return { floor: wanted > start ? wanted : start, low: end, span: 1n, perOffset: 0, ahead: [] };
}

/** The same tail when the partition has no records before `start` any more. */
export function withStart(tail: Tail, start: bigint): Tail {
  return start > tail.floor ? { ...tail, floor: start } : tail;
}

export function isRead({ floor, low }: Tail): boolean {
  return low <= floor;
}

/**
 * First offset of the next window, which ends before `low`. Towards an older part that was left it is a quarter of the
 * way: where its large records end is not known.
 */
export function windowStart({ floor, low, span, ahead }: Tail): bigint {
  const part = ahead.at(-1);
  if (part === undefined) return low - span > floor ? low - span : floor;
  return low - least(span, atLeastOne((low - part.end) / GROWTH));
}

/**
 * Bytes of a fetch of what is left of the window from `next` on, by the `bytes` of its records before `next`, or,
 * without any, by those of the window behind it.
 */
export function fetchBytes(tail: Tail, next: bigint, bytes: number): number {
  const from = windowStart(tail);
  const perOffset = next > from ? bytes / Number(next - from) : tail.perOffset;
  const wanted = Math.ceil(Number(tail.low - next) * perOffset * ROOM);
  return Math.min(WINDOW_BYTES, Math.max(LEAST_FETCH_BYTES, wanted));
}

/**
 * The tail with a smaller window next, if the rest of this one, from `next` on, would be read too late: its older part,
 * from `first` on, had so many `bytes`, and foretells so many. That part is read, and is passed over later. Else null.
 */
export function shortened(tail: Tail, first: bigint, next: bigint, bytes: number): Tail | null {
  const rest = tail.low - next;
  const foretold = (Number(rest) * bytes) / Number(next - windowStart(tail));
  if (rest <= 1n || bytes + foretold < TOO_LONG * WINDOW_BYTES) return null;
  return { ...tail, ahead: [...tail.ahead, { start: first, end: next }] };
}

/** The tail after its window was read, of which the batches had `bytes` in all and began at `first`. */
export function afterWindow(tail: Tail, first: bigint, bytes: number): Tail {
  const from = windowStart(tail);
  const low = first < from ? first : from;
  const perOffset = bytes / Number(tail.low - low);
  const span = atLeastOne(least((tail.low - from) * GROWTH, fitting(perOffset)));
  return passedOver({ ...tail, low, perOffset, span });
}

/** The tail, with `low` before the parts that are read already and that it has reached. */
function passedOver(tail: Tail): Tail {
  const part = tail.ahead.at(-1);
  if (part === undefined || part.end < tail.low) return tail;
  return passedOver({ ...tail, low: least(tail.low, part.start), ahead: tail.ahead.slice(0, -1) });
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
