import type { BatchHeader } from './record-batch.ts';

/** An aborted transaction that reaches into the fetched offsets, as the broker lists it. */
export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

/**
 * Tells which batches of one partition's part of a fetch belong to an aborted transaction, as Kafka's own consumer does
 * under read_committed. The broker lists aborted transactions by their ends, so that of two that interleave the later
 * one may be listed first; batches are asked about by rising offsets. Only a control batch ends a transaction, never a
 * record whose key looks like a marker; and the first one of its producer does, whatever of it can still be read.
 */
export class AbortedTransactions {
  /** By first offset, the first one last. */
  readonly #ahead: AbortedTransaction[];
  readonly #producers = new Set<string>();

  constructor(listed: readonly AbortedTransaction[]) {
    this.#ahead = listed.toSorted((one, other) => (BigInt(one.firstOffset) < BigInt(other.firstOffset) ? 1 : -1));
  }

  /** True if the records of the batch were rolled back; the end of a transaction is its last batch. */
  contain({ lastOffset, isControl, context }: BatchHeader): boolean {
    for (let next = this.#ahead.at(-1); next !== undefined; next = this.#ahead.at(-1)) {
      if (BigInt(next.firstOffset) > lastOffset) break;
      this.#producers.add(next.producerId);
      this.#ahead.pop();
    }
    if (!isControl) return context.inTransaction && this.#producers.has(context.producerId);
    this.#producers.delete(context.producerId);
    return false;
  }
}
