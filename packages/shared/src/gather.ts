/** Bounds of `gatherMs`. */
export interface Gather {
  /** Fewer pieces of work than this are no sign of more to come. */
  readonly few: number;
  /** As many as this need no company. */
  readonly many: number;
  readonly mostMs: number;
}

/** Time that is waited for each that the batch before took: then most of a cycle gathers. */
const SHARE = 2;

/**
 * Milliseconds for which more work is gathered after a batch of `count` pieces that took `tookMs`. A batch has a cost
 * of its own in the app, in Kafka and in PostgreSQL, whatever is in it. One process gathers while it works; of several
 * that share the work each is free sooner, takes what little there is, and the machine works on batches. On an idle
 * machine a batch takes milliseconds, and so does the wait; on a busy one the wait makes batches as large as those of
 * one process.
 */
export function gatherMs(count: number, tookMs: number, { few, many, mostMs }: Gather): number {
  return count < few || count >= many ? 0 : Math.min(SHARE * tookMs, mostMs);
}
