import type { BatchHeader } from './record-batch.ts';

/** An aborted transaction that reaches into the fetched offsets, as the broker lists it. */
export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

/** Key of a control record: version and type, two bytes each. */
const TYPE_AT = 2;
const ABORT = 0;

/**
 * Tells which batches of one partition's part of a fetch belong to an aborted transaction, as Kafka's own consumer does
 * under read_committed. The broker lists aborted transactions by their ends, so that of two that interleave the later
 * one may be listed first; batches are asked about by rising offsets. Only a control batch ends a transaction, never a
 * record whose key looks like a marker.
 */
export class AbortedTransactions {
  /** By first offset, the first one last. */
  readonly #ahead: AbortedTransaction[];
  readonly #producers = new Set<string>();

  constructor(listed: readonly AbortedTransaction[]) {
    this.#ahead = listed.toSorted((one, other) => (BigInt(one.firstOffset) < BigInt(other.firstOffset) ? 1 : -1));
  }

  /** True if the records of the batch were rolled back. */
  contain({ lastOffset, isControl, context }: BatchHeader): boolean {
    for (let next = this.#ahead.at(-1); next !== undefined; next = this.#ahead.at(-1)) {
      if (BigInt(next.firstOffset) > lastOffset) break;
      this.#producers.add(next.producerId);
      this.#ahead.pop();
    }
    return !isControl && context.inTransaction && this.#producers.has(context.producerId);
  }

  /** Ends the producer's transaction if `key`, of a control record, is that of an abort marker. */
  endBy(producerId: string, key: Buffer | null): void {
    if (key === null || key.length < TYPE_AT + 2) return;
    if (key.readInt16BE(TYPE_AT) === ABORT) this.#producers.delete(producerId);
  }
}
