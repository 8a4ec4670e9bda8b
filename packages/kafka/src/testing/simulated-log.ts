import type { LogReader, LogRecord, PartitionEdges } from '../produce/read-back.ts';

/** Records of equal size, one behind the other. */
export interface Run {
  readonly count: number;
  readonly bytes: number;
  /** Records of a batch. */
  readonly perBatch: number;
  /** Every how-many-th record compaction has left; 1 for all. */
  readonly left: number;
  /** Digests of the records, if they are a relay's; they are then all there. */
  readonly digests?: readonly string[];
}

export interface SimulatedPartition {
  readonly start: number;
  readonly leader: string;
  readonly runs: readonly Run[];
}

/** How a simulated Kafka answers for a topic, in simulated time. */
export interface Answers {
  readonly bytesPerMs: number;
  readonly latencyMs: number;
  /** Time until it answers where the partitions are, beside the latency. */
  readonly edgesMs: number;
  /** Every `failsEvery`-th call fails, and brings no records; 0 for none. */
  readonly failsEvery: number;
  /** The leader that never answers a fetch, if there is one. */
  readonly silent: string | null;
  readonly access: 'read' | 'describe' | 'none' | 'no topic' | 'no leader' | 'silence';
}

/** Bytes that Kafka adds to a batch, and to each record in it. */
const [BATCH_BYTES, RECORD_BYTES] = [61, 7];

interface Batch {
  readonly base: number;
  readonly last: number;
  readonly bytes: number;
  readonly records: () => LogRecord[];
}

/** A topic of a simulated Kafka: its records have sizes and no content, so that it may be large. */
export class SimulatedLog implements LogReader {
  readonly #partitions: ReadonlyMap<number, SimulatedPartition>;
  readonly #answers: Answers;
  #calls = 0;
  /** Bytes of the records that were fetched, and of each batch by itself the most. */
  readonly read = { bytes: 0, fetches: 0, largestBatch: 0 };

  constructor(partitions: readonly SimulatedPartition[], answers: Answers) {
    this.#partitions = new Map(partitions.map((each, id) => [id, each]));
    this.#answers = answers;
  }

  async edges(): Promise<readonly PartitionEdges[] | null> {
    const { latencyMs, edgesMs, access } = this.#answers;
    if (access === 'silence') return silence();
    await after(latencyMs + edgesMs);
    if (access === 'no leader') throw new Error('LEADER_NOT_AVAILABLE');
    if (access === 'none') return null;
    if (access === 'no topic') return [];
    this.#mayFail();
    return [...this.#partitions].map(([partition, { start, leader, runs }]) => {
      const end = start + runs.reduce((sum, { count }) => sum + count, 0);
      return { partition, leader, start: BigInt(start), end: BigInt(end) };
    });
  }

  async fetch(at: PartitionEdges, offset: bigint, maxBytes: number): Promise<readonly LogRecord[] | null> {
    this.read.fetches += 1;
    if (at.leader === this.#answers.silent) return silence();
    await after(this.#answers.latencyMs);
    if (this.#answers.access === 'describe') return null;
    this.#mayFail();
    const batches = this.#batches(this.#partitions.get(at.partition)!, Number(offset), maxBytes);
    const bytes = batches.reduce((sum, batch) => sum + batch.bytes, 0);
    this.read.bytes += bytes;
    this.read.largestBatch = Math.max(this.read.largestBatch, ...batches.map((batch) => batch.bytes));
    await after(bytes / this.#answers.bytesPerMs);
    return batches.flatMap(({ records }) => records());
  }

  #mayFail(): void {
    this.#calls += 1;
    const { failsEvery } = this.#answers;
    if (failsEvery > 0 && this.#calls % failsEvery === 0) throw new Error('NOT_LEADER_FOR_PARTITION');
  }

  #batches({ start, runs }: SimulatedPartition, offset: number, maxBytes: number): Batch[] {
    const found: Batch[] = [];
    let [first, left] = [start, maxBytes];
    for (const run of runs) {
      const end = first + run.count;
      let at = Math.max(0, Math.floor((offset - first) / run.perBatch)) * run.perBatch;
      if (offset >= end) at = run.count;
      for (; at < run.count; at += run.perBatch) {
        const batch = batchOf(run, first, at);
        left -= batch.bytes;
        if (left < 0 && found.length > 0) return found;
        found.push(batch);
      }
      first = end;
    }
    return found;
  }
}

/** The batch that begins at the `at`-th record of a run that begins at `first`. */
function batchOf({ count, bytes, perBatch, left, digests }: Run, first: number, at: number): Batch {
  const size = Math.min(perBatch, count - at);
  const there = Array.from({ length: Math.ceil(size / left) }, (_, nth) => at + nth * left);
  return {
    base: first + at,
    last: first + at + size - 1,
    bytes: BATCH_BYTES + there.length * (bytes + RECORD_BYTES),
    records: () =>
      there.map((nth) => ({
        offset: BigInt(first + nth),
        bytes,
        digest: () => digests?.[nth] ?? `another's ${first + nth}`,
      })),
  };
}

async function after(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  await promise;
}

async function silence(): Promise<never> {
  return Promise.withResolvers<never>().promise;
}
