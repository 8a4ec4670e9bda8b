import type { EachBatchPayload, KafkaMessage } from 'kafkajs';

import type { Logger } from '@gondola/service-kit/logging/logger';
import { settlesWithin } from '@gondola/service-kit/run/within';
import { type Gather, gatherMs } from '@gondola/shared/gather';
import { Slots } from '@gondola/shared/slots';
import { liveTopic, topicNameOf, type TopicName } from '@gondola/shared/topics/topics';

import type { ConsumerGuard } from './consumer-guard.ts';
import { FetchedRecord } from '../wire/fetched-record.ts';
import { isRedriveOfAnotherGroup } from '../records/dead-letter-record.ts';
import { isPassedReplay } from '../records/replay-record.ts';
import { dispositionOf } from './disposition.ts';
import type { MessagingMetrics } from '../metrics/messaging-metrics.ts';
import type { PartitionPauses } from './partition-pauses.ts';
import { decodeRecord, type InRecord } from '../records/record-codec.ts';
import { tracedBatch } from '../tracing/record-spans.ts';
import type { RecordBatch } from './topic-handler.ts';

export interface PartitionRunnerOptions {
  readonly group: string;
  readonly topicPrefix: string;
  /** Batches of these topics wait for no other, and the fetch of their next records for none of another topic. */
  readonly urgent: ReadonlySet<TopicName>;
  /** Batches of the other topics that are handled at once. */
  readonly concurrency: number;
  readonly handle: (batch: RecordBatch) => Promise<void>;
  readonly heartbeatMs: number;
  readonly pauses: PartitionPauses;
  readonly guard: ConsumerGuard;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
}

export interface ChunkLimits {
  readonly records: number;
  /** Size of keys, values and headers. */
  readonly bytes: number;
  readonly headers: number;
}

/**
 * Limits of one transaction: they bound a statement's parameters, memory, and the work that is repeated after a
 * failure.
 */
const CHUNK: ChunkLimits = { records: 500, bytes: 8 * 1_048_576, headers: 50_000 };
/** Time for which the next fetch waits for a batch of another topic than the urgent ones. */
const FETCH_WAITS_MS = 30;
/** Wait between a batch and the next fetch, in which records gather. */
const GATHER: Gather = { few: 8, many: 100, mostMs: 200 };

/**
 * Runs inside kafkajs' `eachBatch`, the only place where offsets are committed:
 *
 *   heartbeat ──▶ handler (its transaction commits) ──▶ resolve ──▶ commit ──▶ next chunk
 *      │             │ retry: pause the partition; the unresolved records are fetched again after it
 *      │             │ else: no dead letter could be stored either; the process ends
 *      ▼ throws while the group rebalances: kafkajs joins again, and reads from what was committed
 *
 * kafkajs fetches anew when all of a fetch is handled. So that an urgent record does not wait for what was fetched
 * before it, a longer batch of another topic goes on aside: its partition is left out of the fetches until it ends.
 *
 * Guarantees that an offset is committed only after the transaction with everything before it. Handles one chunk at
 * a time, because kafkajs' `resolveOffset` is an assignment, not a maximum. Tested in batch-order.int.spec.ts,
 * commit-order.int.spec.ts.
 */
export class PartitionRunner {
  readonly #options: PartitionRunnerOptions;
  readonly #ordinary: Slots;
  /** Number of times that the group was joined. */
  #generation = 0;
  readonly #heartbeats = new Set<NodeJS.Timeout>();
  /** Batches for which no fetch waits. */
  readonly #aside = new Set<Promise<void>>();
  #draining = false;
  readonly #drain = Promise.withResolvers<void>();

  constructor(options: PartitionRunnerOptions) {
    this.#options = options;
    this.#ordinary = new Slots(options.concurrency);
  }

  /** To be called after a join: partitions may have another owner from now on. */
  joined(): void {
    this.#generation += 1;
  }

  /** Begins no more chunks, and waits for no more records; resolves when those that run aside are committed. */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#drain.resolve();
    await Promise.all(this.#aside);
  }

  /** Clears the heartbeat timers of handlers that have not ended. */
  stop(): void {
    for (const timer of this.#heartbeats) clearInterval(timer);
  }

  /** Handles a batch of one partition, in chunks. Throws only errors of kafkajs itself. */
  async run(payload: EachBatchPayload): Promise<void> {
    const topic = topicNameOf(this.#options.topicPrefix, payload.batch.topic);
    if (topic === null) throw new TypeError(`Not a topic of the catalog: ${payload.batch.topic}`);
    if (this.#draining) {
      // Else it would be fetched again and again until the consumer has stopped.
      payload.pause();
      return;
    }
    const { urgent } = this.#options;
    const generation = this.#generation;
    const run = (): Promise<boolean> => this.#run(topic, payload, generation);
    const isUrgent = urgent.has(topic);
    const work = isUrgent ? run() : this.#ordinary.run(run);
    const startedAt = performance.now();
    if (isUrgent || urgent.size === 0 || (await settlesWithin(FETCH_WAITS_MS, work))) {
      if ((await work) && !isUrgent) await this.#gather(payload.batch.messages.length, performance.now() - startedAt);
      return;
    }
    const aside = this.#goOnAside(payload, work).finally(() => this.#aside.delete(aside));
    this.#aside.add(aside);
  }

  /** An urgent record waits no longer for the next fetch than for a batch of another topic. */
  async #gather(count: number, tookMs: number): Promise<void> {
    const ms = gatherMs(count, tookMs, GATHER);
    const mostMs = this.#options.urgent.size === 0 ? ms : Math.min(ms, FETCH_WAITS_MS - tookMs);
    if (mostMs > 0) await settlesWithin(mostMs, this.#drain.promise);
  }

  /** Never throws: kafkajs notices in its own next request that the group rebalances or a broker is away. */
  async #goOnAside(payload: EachBatchPayload, work: Promise<boolean>): Promise<void> {
    const resume = payload.pause();
    try {
      if (!(await work)) return;
    } catch (err) {
      const { topic, partition } = payload.batch;
      this.#options.logger.debug({ err, topic, partition }, 'A batch was not committed; the next one commits it');
    }
    resume();
  }

  /** False if a handler failed, which has paused the partition. */
  async #run(topic: TopicName, payload: EachBatchPayload, generation: number): Promise<boolean> {
    const { batch } = payload;
    for (const messages of chunksOf(batch.messages, CHUNK)) {
      const chunk = messages.map((message) => decodeRecord(topic, batch.partition, message));
      if (this.#draining || generation !== this.#generation || !payload.isRunning() || payload.isStale()) return true;
      await payload.heartbeat();
      if (!(await this.#handled(topic, chunk, payload))) return false;
      // kafkajs can rejoin while a batch of another broker's partition, or one aside, is being handled; the offset then
      // belongs to the new owner.
      if (generation !== this.#generation) return true;
      await this.#commit(topic, chunk, payload);
    }
    return true;
  }

  /** True once the chunk's transaction is committed. */
  async #handled(topic: TopicName, chunk: readonly InRecord[], payload: EachBatchPayload): Promise<boolean> {
    const { handle, guard, pauses } = this.#options;
    const { partition } = payload.batch;
    const records = chunk.filter((record) => this.#isOurs(record) && !isPassedReplay(record));
    if (records.length === 0) return true;
    try {
      const ours = { topic: liveTopic(topic), partition, records };
      const traced = () => tracedBatch(ours, this.#options, () => handle(ours));
      await this.#withHeartbeats(payload, () => guard.handling(traced));
    } catch (error) {
      this.#failed(error, topic, chunk, payload);
      return false;
    }
    pauses.recovered(topic, partition);
    return true;
  }

  #failed(error: unknown, topic: TopicName, chunk: readonly InRecord[], payload: EachBatchPayload): void {
    const { guard, pauses, logger } = this.#options;
    const { partition } = payload.batch;
    const where = { topic, partition, firstOffset: chunk[0]?.offset, records: chunk.length };
    if (!payload.isRunning()) {
      logger.info(
        { ...where, err: error },
        'The consumer stopped before a batch was committed; the batch will be consumed again',
      );
    } else if (dispositionOf(error) === 'retry') {
      const retryInMs = pauses.pause(topic, partition, () => payload.pause());
      logger.warn({ ...where, err: error, retryInMs }, 'The partition waits for the database');
    } else {
      payload.pause();
      guard.end(error, 'Records could not be stored, not even as dead letters', where);
    }
  }

  async #commit(topic: TopicName, chunk: readonly InRecord[], payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const last = chunk.at(-1)!.offset;
    payload.resolveOffset(last);
    // A transaction marker may follow the last record; kafkajs does not pass it on.
    const end = last === batch.messages.at(-1)?.offset ? batch.lastOffset() : last;
    const partitions = [{ partition: batch.partition, offset: String(BigInt(end) + 1n) }];
    await payload.commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
    const { metrics } = this.#options;
    metrics.consumed(topic, batch.partition, chunk.length, chunk.filter(({ key }) => key === null).length);
    metrics.skipped(topic, 'redrive-of-another-group', chunk.filter((record) => !this.#isOurs(record)).length);
    metrics.skipped(topic, 'replay', chunk.filter((record) => this.#isOurs(record) && isPassedReplay(record)).length);
  }

  #isOurs(record: InRecord): boolean {
    return !isRedriveOfAnotherGroup(record, this.#options.group);
  }

  /**
   * Sends heartbeats during a handler, which kafkajs does not. Errors of a heartbeat (the group rebalances, the
   * member is unknown) are left to the next step: the handler's transaction must not be interrupted, and the broker
   * refuses a commit that comes too late.
   */
  async #withHeartbeats<T>(payload: EachBatchPayload, work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void payload.heartbeat().catch(() => {}), this.#options.heartbeatMs);
    this.#heartbeats.add(timer);
    try {
      return await work();
    } finally {
      this.#heartbeats.delete(timer);
      clearInterval(timer);
    }
  }
}

/**
 * Splits the messages, in their order, into chunks within `limits`; a message that alone exceeds them is a chunk of
 * its own.
 */
export function* chunksOf(messages: readonly KafkaMessage[], limits: ChunkLimits): Generator<KafkaMessage[]> {
  let chunk: KafkaMessage[] = [];
  let bytes = 0;
  let headers = 0;
  for (const message of messages) {
    const own = sizeOf(message);
    bytes += own.bytes;
    headers += own.headers;
    if (chunk.length === limits.records || (chunk.length > 0 && (bytes > limits.bytes || headers > limits.headers))) {
      yield chunk;
      chunk = [];
      ({ bytes, headers } = own);
    }
    chunk.push(message);
  }
  if (chunk.length > 0) yield chunk;
}

function sizeOf(message: KafkaMessage): { readonly bytes: number; readonly headers: number } {
  const content = (message.key?.length ?? 0) + (message.value?.length ?? 0);
  return message instanceof FetchedRecord
    ? { bytes: content + message.headerBytes, headers: message.headerCount }
    : { bytes: content, headers: 0 };
}
