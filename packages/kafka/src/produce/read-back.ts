import { unlessAborted } from '@gondola/service-kit/run/within';

import {
  afterWindow,
  fetchBytes,
  isRead,
  shortened,
  type Tail,
  tailOf,
  windowStart,
  withStart,
  WINDOW_BYTES,
} from './log-tail.ts';

/** A record in a partition. */
export interface LogRecord {
  readonly offset: bigint;
  /** Size of key, value and headers. */
  readonly bytes: number;
  digest(): string;
}

/** A partition at one moment. */
export interface PartitionEdges {
  readonly partition: number;
  /** The broker that is asked for it. */
  readonly leader: string;
  readonly start: bigint;
  /** Offset of the next record. */
  readonly end: bigint;
}

/** Reads a topic. Both methods throw if Kafka cannot be asked, and give null if the account may not read. */
export interface LogReader {
  /** Empty if the topic does not exist. */
  edges(): Promise<readonly PartitionEdges[] | null>;
  /** Whole batches from the one with `offset` on, at least one of them; more only within `maxBytes`. */
  fetch(at: PartitionEdges, offset: bigint, maxBytes: number): Promise<readonly LogRecord[] | null>;
}

export interface ReadLimit {
  /** Bytes of records, with `RECORD_COST` for each. The last fetches may exceed it by a batch each. */
  readonly bytes: number;
  /** When it is aborted nothing more is read, and what was read is the answer. */
  readonly signal: AbortSignal;
}

export interface ReadBack {
  readonly digests: ReadonlySet<string>;
  /** Offset of the next record, of each partition of which the newest records were read. */
  readonly ends: ReadonlyMap<number, bigint>;
  /** The limit that ended the reading before all was read; null if none did. */
  readonly cut: 'bytes' | 'time' | null;
  /** The last failure of Kafka, if it led to this. */
  readonly cause?: unknown;
}

/** Cost of a record that is taken up beside its bytes, in memory and time. */
const RECORD_COST = 400;
/** Bytes on the wire beside those of a record that is alone in its batch. */
const FRAME_BYTES = 70;
/** Larger than the largest batch that an app's topic takes. */
const MOST_FETCH_BYTES = 16 * WINDOW_BYTES;
const RETRY_MS = 250;

/**
 * Digests of a topic's records, from the end of each partition backwards to its place in `from`, or to its beginning:
 * the newest ones first, of all partitions in turn, until all were read or `limit` is reached. Null if the account may
 * not read the topic. Never throws: a failure of Kafka is tried again while there is time.
 */
export async function readBack(
  log: LogReader,
  from: ReadonlyMap<number, bigint>,
  limit: ReadLimit,
): Promise<ReadBack | null> {
  const reading = new Reading(log, limit);
  let cause: unknown;
  while (!limit.signal.aborted) {
    try {
      const edges = await unlessAborted(limit.signal, log.edges());
      if (edges === null) return null;
      if (edges === undefined) break;
      reading.add(edges, from);
      if (!(await reading.readAll(edges))) return null;
      break;
    } catch (error) {
      cause = error;
      await unlessAborted(limit.signal, pause(RETRY_MS));
    }
  }
  return { ...reading.answer(), cause };
}

/** Records of one topic that were read, and what is left to read. */
class Reading {
  readonly #log: LogReader;
  readonly #limit: ReadLimit;
  readonly #digests = new Set<string>();
  readonly #ends = new Map<number, bigint>();
  readonly #tails = new Map<number, Tail>();
  /** Bytes of each partition that were read, with what each record costs. */
  readonly #spent = new Map<number, number>();
  #isFound = false;
  #isAllowed = true;

  constructor(log: LogReader, limit: ReadLimit) {
    this.#log = log;
    this.#limit = limit;
  }

  add(edges: readonly PartitionEdges[], from: ReadonlyMap<number, bigint>): void {
    this.#isFound = true;
    for (const { partition, start, end } of edges) {
      const begun = this.#tails.get(partition);
      this.#tails.set(
        partition,
        begun === undefined ? tailOf({ start, end }, from.get(partition)) : withStart(begun, start),
      );
      if (begun === undefined) this.#ends.set(partition, end);
    }
  }

  /** Reads the partitions of each broker in turn, of several brokers at once. False if the account may not. */
  async readAll(edges: readonly PartitionEdges[]): Promise<boolean> {
    const byLeader = Map.groupBy(edges, ({ leader }) => leader);
    const readings = await Promise.allSettled([...byLeader.values()].map((of) => this.#readInTurn(of)));
    const failed = readings.find(({ status }) => status === 'rejected');
    if (failed !== undefined && this.#isAllowed) throw (failed as PromiseRejectedResult).reason;
    return this.#isAllowed;
  }

  answer(): ReadBack {
    const isWhole = this.#isFound && [...this.#tails.values()].every(isRead);
    const limit = this.#limit.signal.aborted ? 'time' : 'bytes';
    const begun = [...this.#ends].filter(([partition, end]) => {
      const tail = this.#tails.get(partition)!;
      return tail.low < end || isRead(tail);
    });
    return { digests: this.#digests, ends: new Map(begun), cut: isWhole ? null : limit };
  }

  /** The partition of which the fewest bytes were read is next: none waits until another's large records are read. */
  async #readInTurn(edges: readonly PartitionEdges[]): Promise<void> {
    const left = () => edges.filter(({ partition }) => !isRead(this.#tails.get(partition)!));
    for (let turn = left(); turn.length > 0; turn = left()) {
      const [next] = turn.toSorted((one, other) => this.#spentOn([one]) - this.#spentOn([other]));
      if (!(await this.#readWindow(next!, edges))) return;
    }
  }

  /**
   * Reads one window, in the direction in which Kafka reads. False, and the tail as it was, if the reading has to end.
   *
   * @param edges the partitions of the same broker
   */
  async #readWindow(at: PartitionEdges, edges: readonly PartitionEdges[]): Promise<boolean> {
    const tail = this.#tails.get(at.partition)!;
    const from = windowStart(tail);
    let [next, first, bytes, growth] = [from, from, 0, 1];
    while (next < tail.low) {
      const maxBytes = growth * fetchBytes(tail, next, bytes);
      const records = await this.#fetch(at, next, Math.min(maxBytes, Math.ceil(this.#leftFor(edges))));
      if (records === null) return false;
      bytes += this.#take(records, tail, at);
      const last = records.at(-1)?.offset ?? -1n;
      if (last < next) {
        // Compaction emptied the end of a batch, and the next batch did not fit. Without a next one nothing is left.
        if (maxBytes >= MOST_FETCH_BYTES) break;
        growth *= 2;
        continue;
      }
      growth = 1;
      if (next === from && records[0]!.offset < from) first = records[0]!.offset;
      next = last + 1n;
      const shorter = next < tail.low ? shortened(tail, first, next, bytes) : null;
      if (shorter === null) continue;
      this.#tails.set(at.partition, shorter);
      return true;
    }
    this.#tails.set(at.partition, afterWindow(tail, first, bytes));
    return true;
  }

  /** Null if the reading has to end. */
  async #fetch(at: PartitionEdges, offset: bigint, maxBytes: number): Promise<readonly LogRecord[] | null> {
    const { signal } = this.#limit;
    if (signal.aborted || !this.#isAllowed || maxBytes <= 0) return null;
    const records = await unlessAborted(signal, this.#log.fetch(at, offset, maxBytes));
    if (records === null) this.#isAllowed = false;
    return records ?? null;
  }

  /** Takes up the records before `low`, and says how many bytes they have; the others were taken up before. */
  #take(records: readonly LogRecord[], { floor, low }: Tail, { partition }: PartitionEdges): number {
    let [bytes, cost] = [0, 0];
    for (const record of records) {
      const isNew = record.offset < low;
      cost += record.bytes + (isNew ? RECORD_COST : FRAME_BYTES);
      if (isNew) bytes += record.bytes + FRAME_BYTES;
      if (isNew && record.offset >= floor) this.#digests.add(record.digest());
    }
    this.#spent.set(partition, (this.#spent.get(partition) ?? 0) + cost);
    return bytes;
  }

  /** Bytes that may still be read of a broker's partitions: each brings its share, so no broker takes another's. */
  #leftFor(edges: readonly PartitionEdges[]): number {
    return (this.#limit.bytes * edges.length) / this.#tails.size - this.#spentOn(edges);
  }

  #spentOn(edges: readonly PartitionEdges[]): number {
    return edges.reduce((sum, { partition }) => sum + (this.#spent.get(partition) ?? 0), 0);
  }
}

/** By the timer that a test can set forward; the one of `node:timers/promises` runs in real time. */
async function pause(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  await promise;
}
